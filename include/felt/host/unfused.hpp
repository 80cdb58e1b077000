// SPDX-License-Identifier: BSD-3-Clause
//
// run(unfused, s...): the same expressions node by node, each node's value in a tensor of its
// own, by the same kernels. The honest control: memory for the values comes from a warm pool, a
// shared sub-expression is computed once, views are not copied.
#pragma once
#include <felt/plan/1_analysis/cse.hpp>
#include <felt/expr/lifetimes.hpp>
#include <felt/expr/kind.hpp>
#include <felt/host/run.hpp>
#include <felt/host/value_order.hpp>

namespace felt::inline FELT_ABI {

namespace host {

// Leaves, scalars and views stay what they are; the value of every other node is computed.
template <class N>
inline constexpr bool stays =
    trait_of_node<N>.is_view || N::what == node_kind::leaf || N::what == node_kind::scalar;

class node_by_node {
public:
    explicit node_by_node(planning::graph const& g) : graph_(g), computed_(g.nodes.size()) {}
    node_by_node(node_by_node const&) = delete;

    // The statement whose values are wanted now.
    void begin(memory_order const& to) { to_ = to; }

    // Node id with every operand in memory.
    template <class N>
    auto flat(N const& n, node_id id) {
        if constexpr (has_no_operands<N>) return n;
        else return n.over(values(n.operands(), id + 1));
    }
    template <class T, std::size_t R, class S>
    auto flat(owned<T, R, S> const& n, node_id) {
        return n.view;
    }
    template <class X>
    auto flat(once_node<X> const& n, node_id id) {
        return value(n.x.head, id + 1);
    }
    template <view_kind K, class X, std::size_t R>
    auto flat(view_node<K, X, R> const& n, node_id id) {
        auto const x = values(n.x, id + 1);
        if constexpr (K == view_kind::affine && strided_leaf<decltype(x.head)>) {
            auto const v =
                felt::detail::view_memory<typename X::value_type const, typename X::space>(
                    x.head.data, x.head.stride, n.map);
            return leaf<typename X::value_type, R, typename X::space>{v.data(), v.extents(),
                                                                      v.strides()};
        } else {
            return n.over(x);
        }
    }

    // Values of what reads this memory, which was just written, are no longer good.
    void forget(planning::detail::memory_range const& written) {
        for (node_id id : graph_.nodes.ids()) {
            for (node_id x : graph_.subtree(id)) {
                planning::node const& f = graph_[x];
                if (f.what != kind::leaf || f.lie_along != nullptr) continue;
                auto const read = planning::detail::range_of(f);
                if (planning::detail::overlap(read, written)) computed_[id] = {};
            }
        }
    }

private:
    // A value, as it lies for the statement that it was computed for; other statements share it.
    struct kept {
        void* data = nullptr;
        index_t stride[planning::max_axes] = {};
    };

    template <class X>
    static constexpr bool strided_leaf = requires(X const& x) {
        x.data;
        x.stride;
    };

    template <class A>
    auto values(tuple<A> const& x, node_id id) {
        return felt::make_tuple(value(x.head, id));
    }
    template <class A, class B, class... X>
    auto values(tuple<A, B, X...> const& x, node_id id) {
        auto const first = value(x.head, id);
        return prepend(first, values(x.tail, graph_[id].end));
    }

    template <class N>
    auto value(N const& n, node_id id) {
        auto const one = flat(n, id);
        if constexpr (stays<N>) {
            return one;
        } else {
            return computed(one, id);
        }
    }

    template <class N>
    auto computed(N const& one, node_id id) {
        using T = typename N::value_type;
        using Space = join_space_t<typename N::space, Host>;
        auto const e = one.extents();
        kept& own = computed_[id];
        if (own.data == nullptr) own = value_of_equal(id);
        if (own.data == nullptr) {
            auto const strides = value_strides(graph_, id, e, to_);
            auto const bytes = std::max<index_t>(e.size(), 1) * static_cast<index_t>(sizeof(T));
            own.data = blocks_.take(bytes);
            std::copy(strides.begin(), strides.end(), own.stride);
            using St = statement<T, N::rank, Space, N>;
            run(fused, St{static_cast<T*>(own.data), e, strides, one, true});
        }
        extents<N::rank> strides;
        for (std::size_t a = 0; a != N::rank; ++a) strides[a] = own.stride[a];
        return leaf<T, N::rank, Space>{static_cast<T const*>(own.data), e, strides};
    }

    // An equal node that has been computed, or nothing.
    kept value_of_equal(node_id id) const {
        auto const is_computed = [&](node_id a) { return computed_[a].data != nullptr; };
        node_id const first = planning::detail::first_equal(graph_, 0, id, is_computed);
        return first ? computed_[first] : kept{};
    }

    planning::graph const& graph_;
    memory_order to_;
    planning::table<node_id, kept> computed_;
    pooled_values blocks_;
};

namespace detail {
template <class... S, std::size_t... I>
void run_nodes(planning::graph const& g, node_id const* root, std::index_sequence<I...>,
               S const&... s) {
    node_by_node values(g);
    auto one = [&](auto const& st, node_id id) {
        using St = std::remove_cvref_t<decltype(st)>;
        values.begin({static_cast<int>(St::rank), st.e.value, st.stride.value});
        auto const flat = values.flat(st.expression, id);
        run(fused, statement<typename St::value_type, St::rank, typename St::space,
                             std::remove_const_t<decltype(flat)>>{st.data, st.e, st.stride, flat,
                                                                  st.no_alias});
        values.forget(planning::detail::range_of(st.data, st.e.value, st.stride.value,
                                                 static_cast<int>(St::rank),
                                                 static_cast<int>(sizeof(*st.data))));
    };
    (one(s, root[I]), ...);
}
}  // namespace detail

}  // namespace host

// Carries out statements in order, every node by itself.
template <class... T, std::size_t... R, class... Sp, class... E>
    requires statements_are_on_the_host<Sp...>
void run(unfused_t, statement<T, R, Sp, E> const&... s) {
    if constexpr (host_pass) {
        detail::check_lifetimes(s...);
        planning::graph g;
        planning::node_id root[sizeof...(E)];
        int k = 0;
        ((root[k++] = g.nodes.end_id(), planning::describe(s.expression, g)), ...);
        host::detail::run_nodes(g, root, std::index_sequence_for<E...>{}, s...);
    }
}

}  // namespace felt::inline FELT_ABI
