// SPDX-License-Identifier: BSD-3-Clause
//
// What does not stream is computed first, into memory of its own: reductions but those over small
// windows, scatter_add, and in an unfused run every node. Equal ones are computed once.
#pragma once
#include <felt/device/reduce.hpp>
#include <felt/device/scatter.hpp>
#include <felt/device/window.hpp>
#include <felt/plan/graph.hpp>
#include <memory>

namespace felt::device {

template <class How, class N>
inline constexpr bool is_stage = std::is_same_v<How, unfused_t>;
template <class How, class N>
    requires(has_no_operands<N>)
inline constexpr bool is_stage<How, N> = false;
template <class How, view_kind K, class X, std::size_t R>
inline constexpr bool is_stage<How, view_node<K, X, R>> = false;
template <class How, class X, std::size_t R>
inline constexpr bool is_stage<How, reshape_node<X, R>> = false;
template <class How, class X>
inline constexpr bool is_stage<How, once_node<X>> = false;
template <class M, unsigned Mask, class X>
inline constexpr bool is_stage<fused_t, reduce_node<M, Mask, X>> =
    !is_window_fold<reduce_node<M, Mask, X>>;
template <class X, class I>
inline constexpr bool is_stage<fused_t, scatter_node<X, I>> = true;

// The values of n, dense and in row-major order.
template <class N>
void compute(typename N::value_type* to, N const& n) {
    auto const e = n.extents();
    write(to, e, RowMajor::strides(e), n);
}
template <class M, unsigned Mask, class X>
void compute(typename reduce_node<M, Mask, X>::value_type* to, reduce_node<M, Mask, X> const& n) {
    fold(to, n);
}
template <class X, class I>
void compute(typename X::value_type* to, scatter_node<X, I> const& n) {
    scatter(to, n, stream_of_this_thread());
}

template <class How>
class stages {
public:
    explicit stages(planning::graph const& g) : graph_(g), computed_(g.size(), nullptr) {}

    // Node n, number id of the graph, over operands that stream.
    template <class N>
    auto over_streams(N const& n, int id) {
        if constexpr (has_no_operands<N>) return n;
        else return with_operands(n, operands(n.operands(), id + 1));
    }

private:
    template <class N>
    auto streaming(N const& n, int id) {
        auto const flat = over_streams(n, id);
        if constexpr (is_stage<How, N>) return computed(flat, id);
        else return std::remove_const_t<decltype(flat)>(flat);
    }

    template <class A>
    auto operands(tuple<A> const& x, int id) {
        return felt::make_tuple(streaming(x.head, id));
    }
    template <class A, class B, class... X>
    auto operands(tuple<A, B, X...> const& x, int id) {
        auto a = streaming(x.head, id);
        auto rest = operands(x.tail, graph_[static_cast<std::size_t>(id)].end);
        return apply([&](auto const&... each) { return felt::make_tuple(a, each...); }, rest);
    }

    template <class N>
    auto computed(N const& n, int id) {
        using T = typename N::value_type;
        auto const e = n.extents();
        void*& data = computed_[static_cast<std::size_t>(id)];
        if (data == nullptr) data = value_of_twin(id);
        if (data == nullptr) {
            auto const memory =
                std::make_shared<storage<T, Device>>(std::max<index_t>(e.size(), 1), false);
            data = memory->data();
            kept_.push_back(memory);
            compute(memory->data(), n);
        }
        return leaf<T, N::rank, Device>{static_cast<T const*>(data), e, RowMajor::strides(e)};
    }

    // An equal node that has been computed, or nullptr.
    void* value_of_twin(int id) const {
        for (int a = 0; a < id; ++a) {
            void* const earlier = computed_[static_cast<std::size_t>(a)];
            if (earlier != nullptr && planning::same_value(graph_, a, id)) return earlier;
        }
        return nullptr;
    }

    planning::graph const& graph_;
    std::vector<void*> computed_;
    std::vector<std::shared_ptr<void const>> kept_;
};

}  // namespace felt::device
