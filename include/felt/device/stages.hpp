// SPDX-License-Identifier: BSD-3-Clause
//
// What does not stream is computed first, into memory of its own, as the plan says.
#pragma once
#include <felt/device/plan.hpp>
#include <felt/device/product.hpp>
#include <felt/device/reduce.hpp>
#include <felt/device/scan.hpp>
#include <felt/device/scatter.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/expr/scan.hpp>
#include <felt/expr/views/scatter.hpp>
#include <memory>

namespace felt::inline FELT_ABI::device {

// The values of n over operands that stream, dense and in row-major order.
template <class N>
void compute(launch_facts const& l, typename N::value_type* to, N const& n) {
    using T = typename N::value_type;
    write(l, target<T, N::rank, N>{to, RowMajor::strides(n.extents()), n});
}
template <class M, unsigned Mask, class X>
    requires(!is_window_fold<reduce_node<M, Mask, X>>)
void compute(launch_facts const& l, typename reduce_node<M, Mask, X>::value_type* to,
             reduce_node<M, Mask, X> const& n) {
    fold(l, to, n);
}
template <class X, class I>
void compute(launch_facts const&, typename X::value_type* to, scatter_node<X, I> const& n) {
    scatter(to, n, stream_of_this_thread());
}
template <class F, int A, class X>
void compute(launch_facts const&, typename X::value_type* to, scan_node<F, A, X> const& n) {
    scan_lines(to, n);
}
template <class How>
class stages {
public:
    explicit stages(plan const& p) : p_(p), memory_(p.g.nodes.size(), nullptr) {}

    // Node n, number id of the graph, over operands that stream.
    template <class N>
    auto over_streams(N const& n, node_id id) {
        if constexpr (has_no_operands<N>) return n;
        else return n.over(operands(n.operands(), id + 1));
    }

    // The values of node n, in memory; computed when they are first asked for.
    template <class N>
    auto computed(N const& n, node_id id) {
        using T = typename N::value_type;
        auto const e = n.extents();
        void*& data = memory_[p_[id].slot];
        if (data == nullptr) {
            auto const memory =
                std::make_shared<storage<T, Device>>(std::max<index_t>(e.size(), 1), false);
            data = memory->data();
            kept_.push_back(memory);
            compute_to(memory->data(), n, id);
        }
        return leaf<T, N::rank, Device>{static_cast<T const*>(data), e, RowMajor::strides(e)};
    }

    // The values of node n to dense memory, by the launch that the plan has for it.
    template <class N>
    void compute_to(typename N::value_type* to, N const& n, node_id id) {
        auto const flat = over_streams(n, id);
        if constexpr (is_product<N>) {
            multiply_for<How>(to, n.extents(), RowMajor::strides(n.extents()), flat);
        } else {
            compute(p_.launch[p_[id].launch], to, flat);
        }
    }

    // Node n over operands that stream, or become sums of the products that are kept.
    template <kept Which, class N>
    auto over_sums(N const& n, node_id id) {
        if constexpr (plain_products<N> + pooled_products<N> == 0) return streaming(n, id);
        else if constexpr (never_streams<N>) return over_streams(n, id);
        else if constexpr (is_pooled<N>) return over_pooled_sums<Which>(n, id);
        else return n.over(operands_over_sums<Which>(n.operands(), id + 1));
    }

private:
    // Through the windows of a pool and its border.
    template <kept Which, class N>
    auto over_pooled_sums(N const& n, node_id id) {
        auto const& windows = n.x.head;
        auto const& border = windows.x.head;
        auto x = felt::make_tuple(over_sums<Which>(border.x.head, id + 3));
        auto bordered = felt::make_tuple(border.over(x));
        return n.over(felt::make_tuple(windows.over(bordered)));
    }

    template <kept Which, class A>
    auto operands_over_sums(tuple<A> const& x, node_id id) {
        return felt::make_tuple(over_sums<Which>(x.head, id));
    }
    template <kept Which, class A, class B, class... X>
    auto operands_over_sums(tuple<A, B, X...> const& x, node_id id) {
        constexpr bool found = Which == kept::first && plain_products<A> > 0;
        auto a = over_sums<Which>(x.head, id);
        auto const end = p_.g[id].end;
        auto rest = [&] {
            if constexpr (found) return operands(x.tail, end);
            else return operands_over_sums<Which>(x.tail, end);
        }();
        return spread([&](auto const&... each) { return felt::make_tuple(a, each...); }, rest);
    }

    template <class N>
    auto streaming(N const& n, node_id id) {
        if constexpr (is_computed_first<How, N>) return computed(n, id);
        else return over_streams(n, id);
    }

    template <class A>
    auto operands(tuple<A> const& x, node_id id) {
        return felt::make_tuple(streaming(x.head, id));
    }
    template <class A, class B, class... X>
    auto operands(tuple<A, B, X...> const& x, node_id id) {
        auto a = streaming(x.head, id);
        auto rest = operands(x.tail, p_.g[id].end);
        return spread([&](auto const&... each) { return felt::make_tuple(a, each...); }, rest);
    }

    plan const& p_;
    table<node_id, void*> memory_;
    std::vector<std::shared_ptr<void const>> kept_;
};

}  // namespace felt::inline FELT_ABI::device
