// SPDX-License-Identifier: BSD-3-Clause
//
// run(unfused, s...): the same expressions node by node, each node's value in a tensor of its
// own, by the same kernels. The honest control: memory for the values comes from a warm pool, a
// shared sub-expression is computed once, views are not copied.
#pragma once
#include <felt/plan/1_analysis/cse.hpp>
#include <felt/expr/lifetimes.hpp>
#include <felt/host/run.hpp>
#include <felt/host/value_order.hpp>

namespace felt {

namespace host {

// Leaves, scalars and views stay what they are; the value of every other node is computed.
template <class N>
inline constexpr bool stays = false;
template <class T, std::size_t R, class S>
inline constexpr bool stays<leaf<T, R, S>> = true;
template <class T, std::size_t R, class S>
inline constexpr bool stays<owned<T, R, S>> = true;
template <class T, std::size_t R, class S>
inline constexpr bool stays<packed_node<T, R, S>> = true;
template <class T>
inline constexpr bool stays<scalar<T>> = true;
template <view_kind K, class X, std::size_t R>
inline constexpr bool stays<view_node<K, X, R>> = true;
template <class X>
inline constexpr bool stays<once_node<X>> = true;
template <class X, std::size_t R>
inline constexpr bool stays<reshape_node<X, R>> = true;

class node_by_node {
public:
    explicit node_by_node(planning::graph const& g) : graph_(g), computed_(g.nodes.size()) {}
    node_by_node(node_by_node const&) = delete;

    // The statement whose values are wanted now.
    void begin(memory_order const& to) { to_ = to; }

    // Node id with every operand in memory.
    template <class T, std::size_t R, class S>
    auto flat(leaf<T, R, S> const& n, node_id) {
        return n;
    }
    template <class T, std::size_t R, class S>
    auto flat(owned<T, R, S> const& n, node_id) {
        return n.view;
    }
    template <class T, std::size_t R, class S>
    auto flat(packed_node<T, R, S> const& n, node_id) {
        return n;
    }
    template <class T>
    auto flat(scalar<T> const& n, node_id) {
        return n;
    }
    template <class G, class T, std::size_t R>
    auto flat(generator_node<G, T, R> const& n, node_id) {
        return n;
    }
    template <class F, class... X>
    auto flat(map_node<F, X...> const& n, node_id id) {
        return with_operands(n, id, [&](auto... x) { return make_map(n.f(), x...); });
    }
    template <view_kind K, class X, std::size_t R>
    auto flat(view_node<K, X, R> const& n, node_id id) {
        auto const x = value(n.x.head, id + 1);
        if constexpr (K == view_kind::affine && strided_leaf<decltype(x)>) {
            auto const v =
                felt::detail::view_memory<typename X::value_type const, typename X::space>(
                    x.data, x.stride, n.map);
            return leaf<typename X::value_type, R, typename X::space>{v.data(), v.extents(),
                                                                      v.strides()};
        } else {
            return view_node<K, std::remove_const_t<decltype(x)>, R>{{x}, n.map, n.fill, n.name};
        }
    }
    template <class X>
    auto flat(once_node<X> const& n, node_id id) {
        return value(n.x.head, id + 1);
    }
    template <class X, std::size_t R>
    auto flat(reshape_node<X, R> const& n, node_id id) {
        auto const x = value(n.x.head, id + 1);
        return reshape_node<std::remove_const_t<decltype(x)>, R>{{x}, n.e};
    }
    template <class X, class Y>
    auto flat(concat_node<X, Y> const& n, node_id id) {
        return with_operands(n, id, [&](auto x, auto y) {
            return concat_node<decltype(x), decltype(y)>{{x, {y}}, n.axis};
        });
    }
    template <class X, class I>
    auto flat(gather_node<X, I> const& n, node_id id) {
        return with_operands(n, id, [&](auto x, auto i) {
            return gather_node<decltype(x), decltype(i)>{{x, {i}}, n.axis};
        });
    }
    template <class X, class I>
    auto flat(scatter_node<X, I> const& n, node_id id) {
        return with_operands(n, id, [&](auto x, auto i) {
            return scatter_node<decltype(x), decltype(i)>{{x, {i}}, n.axis, n.e};
        });
    }
    template <class M, unsigned Mask, class X>
    auto flat(reduce_node<M, Mask, X> const& n, node_id id) {
        auto const x = value(n.x.head, id + 1);
        return reduce_node<M, Mask, std::remove_const_t<decltype(x)>>{{x}};
    }
    template <class F, int A, class X>
    auto flat(scan_node<F, A, X> const& n, node_id id) {
        auto const x = value(n.x.head, id + 1);
        return scan_node<F, A, std::remove_const_t<decltype(x)>>{{x}, n.op};
    }
    template <class A, class B, std::size_t R, std::size_t S>
    auto flat(contract_node<A, B, R, S> const& n, node_id id) {
        return with_operands(n, id, [&](auto a, auto b) {
            contract_node<decltype(a), decltype(b), R, S> c{{a, {b}}, {}, {}, n.name};
            std::copy(std::begin(n.a_label), std::end(n.a_label), c.a_label);
            std::copy(std::begin(n.b_label), std::end(n.b_label), c.b_label);
            return c;
        });
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

    template <class N, class F>
    auto with_operands(N const& n, node_id id, F&& f) {
        return operands(n.x, id + 1, f);
    }
    template <class A, class F>
    auto operands(tuple<A> const& x, node_id id, F&& f) {
        return f(value(x.head, id));
    }
    template <class A, class B, class... X, class F>
    auto operands(tuple<A, B, X...> const& x, node_id id, F&& f) {
        auto const a = value(x.head, id);
        return operands(x.tail, graph_[id].end, [&](auto... rest) { return f(a, rest...); });
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
        if (own.data == nullptr) own = value_of_twin(id);
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
    kept value_of_twin(node_id id) const {
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

}  // namespace felt
