// SPDX-License-Identifier: BSD-3-Clause
//
// describe(expression): the typed tree as plain data, in pre-order. All planning happens on
// this graph, in ordinary code that is compiled once, whatever the expressions are.
#pragma once
#include <felt/core/apart.hpp>
#include <felt/core/batches.hpp>
#include <felt/core/type_mark.hpp>
#include <felt/expr/carried_softmax.hpp>
#include <felt/expr/contract.hpp>
#include <felt/expr/fill.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/packed.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/expr/scan.hpp>
#include <felt/expr/views/concat.hpp>
#include <felt/expr/views/scatter.hpp>
#include <felt/expr/views/reshape.hpp>
#include <felt/plan/graph.hpp>
#include <algorithm>
#include <vector>

namespace felt::inline FELT_ABI::planning {

namespace detail {

template <class T>
constexpr char const* type_name() {
    if constexpr (std::is_same_v<T, float>) return "float";
    else if constexpr (std::is_same_v<T, double>) return "double";
    else if constexpr (std::is_same_v<T, bool>) return "bool";
    else if constexpr (is_bfloat16<T>) return "bfloat16";
    else if constexpr (is_complex<T>) return sizeof(T) == 8 ? "complex<float>" : "complex<double>";
    else if constexpr (std::is_unsigned_v<T>)
        return sizeof(T) == 1   ? "uint8"
               : sizeof(T) == 2 ? "uint16"
               : sizeof(T) == 4 ? "uint32"
                                : "uint64";
    else
        return sizeof(T) == 1   ? "int8"
               : sizeof(T) == 2 ? "int16"
               : sizeof(T) == 4 ? "int32"
                                : "int64";
}

// What a node has of its own beside its type; most have nothing.
template <class N>
void facts_of(N const&, node&) {}
template <class T, std::size_t R, class S>
void facts_of(leaf<T, R, S> const& n, node& f) {
    f.data = n.data;
    f.owner = n.owner;
    for (std::size_t r = 0; r != R; ++r) f.stride[r] = n.stride[r];
}
template <class T, std::size_t R, class S>
void facts_of(owned<T, R, S> const& n, node& f) {
    facts_of(n.view, f);
}
template <class T, std::size_t R, class S>
void facts_of(packed_node<T, R, S> const&, node& f) {
    f.lie_along = [](void const* self, int axis) -> void const* {
        return static_cast<packed_node<T, R, S> const*>(self)->state->along(axis).data;
    };
    felt::detail::packed_strides(f.extent, f.rank, static_cast<int>(R) - 1, f.value_bytes,
                                 f.stride);
}
template <class G, class T, std::size_t R>
void facts_of(generator_node<G, T, R> const& n, node& f) {
    f.name = n.name;
    f.cost = felt::detail::function_cost<G>();
    auto const s = RowMajor::strides(n.e);
    for (std::size_t r = 0; r != R; ++r) f.stride[r] = s[r];
}
template <class X>
void facts_of(once_node<X> const&, node& f) {
    for (axis_id l : f.axes()) f.follow(0, l, l);
}
template <class X>
void facts_of(shared_node<X> const& n, node& f) {
    facts_of<X>(static_cast<once_node<X> const&>(n), f);
    f.optional = true;
}
template <view_kind K, class X, std::size_t R>
void facts_of(view_node<K, X, R> const& n, node& f) {
    f.name = n.name;
    f.rule = n.map.rule;
    f.zero_fill =
        K == view_kind::general && felt::detail::equal_bits(n.fill, typename X::value_type{});
}
template <class X, class Y>
void facts_of(concat_node<X, Y> const& n, node& f) {
    f.axis = axis_id(n.axis);
    for (axis_id l : f.axes()) f.follow(0, l, l), f.follow(1, l, l);
}
template <class X, class I>
void facts_of(gather_node<X, I> const& n, node& f) {
    f.axis = axis_id(n.axis);
    for (axis_id l : f.axes()) f.follow(0, l, l == f.axis ? -1 : l);
}
template <class X, class I>
void facts_of(scatter_node<X, I> const& n, node& f) {
    f.axis = axis_id(n.axis);
    for (axis_id l : f.axes()) f.follow(0, l, l == f.axis ? -1 : l);
    f.flops = 1;
}
template <class M, unsigned Mask, class X>
void facts_of(reduce_node<M, Mask, X> const&, node& f) {
    f.mask = Mask;
    number_kept_axes(f, static_cast<int>(X::rank));
    f.carries = carries_rounding<M, typename reduce_node<M, Mask, X>::value_type>;
}
template <class F, int A, class X>
void facts_of(scan_node<F, A, X> const&, node& f) {
    f.whole = axis_id(A);
    for (axis_id l : f.axes()) f.follow(0, l, l == A ? -1 : l);
    f.cost = felt::detail::function_cost<F>();
    f.flops = 1;
    f.scalar_only = felt::runs_by_element<F, typename X::value_type, typename X::value_type>;
}
template <class A>
inline constexpr bool is_softmax_of_terms = false;
template <class X>
inline constexpr bool is_softmax_of_terms<map_node<felt::detail::softmax_of_terms, X>> = true;
template <class A, class B, std::size_t R, std::size_t S>
void facts_of(contract_node<A, B, R, S> const& n, node& f) {
    f.name = n.name;
    f.label[0] = n.a_label;
    f.label[1] = n.b_label;
    f.carries_softmax = is_softmax_of_terms<A>;
    for (axis_id l : f.axes()) f.follow(0, l, l);
}

template <class N>
constexpr char const* default_name() {
    if constexpr (requires { requires std::same_as<decltype(N::name), char const* const>; }) {
        return N::name;
    }
    return "";
}

// Whether two nodes of the type N are equal apart from their operands.
template <class N>
bool same_node(void const* x, void const* y) {
    if constexpr (requires(N const& n) { n.has_data_of(n); }) {
        return static_cast<N const*>(x)->has_data_of(*static_cast<N const*>(y));
    } else {
        static_assert(sizeof(N) <= sizeof(operands_of<N>), "a node with data has has_data_of()");
        return true;
    }
}

// What the type of a node says.
struct node_type {
    char const* name;
    void const* mark;
    bool (*same)(void const*, void const*);
    int rank, value_bytes;
    char const* type;
    kind what;
};
template <class N>
inline constexpr node_type type_of_node{default_name<N>(),
                                        type_mark<N>(),
                                        &same_node<N>,
                                        static_cast<int>(N::rank),
                                        static_cast<int>(sizeof(typename N::value_type)),
                                        type_name<typename N::value_type>(),
                                        N::what};

// Compiled once, not again for every node.
[[gnu::noinline]] inline node& add_node(graph& g, void const* self, node_type const& type,
                                        index_t const* extent) {
    node& f = g.nodes.add();
    f.self = self;
    f.name = type.name;
    f.mark = type.mark, f.same = type.same;
    f.rank = type.rank, f.value_bytes = type.value_bytes, f.type = type.type;
    f.what = type.what;
    std::copy(extent, extent + type.rank, f.extent);
    return f;
}

// What the type of a function says.
struct function_type {
    char const* name;
    int cost, flops;
    bool scalar_only, may_be_kept;
};
template <class N>
inline constexpr function_type type_of_function{};
template <class F, class... X>
inline constexpr function_type type_of_function<map_node<F, X...>>{
    function_name<F>(), felt::detail::function_cost<F>(), converts_elements<F> ? 0 : 1,
    felt::runs_by_element<F, typename X::value_type...>,
    felt::detail::worth_keeping<F, typename map_node<F, X...>::value_type>};

[[gnu::noinline]] inline void begin_map(graph& g, void const* self, node_type const& type,
                                        function_type const& function) {
    constexpr index_t none[max_axes] = {};
    node& f = add_node(g, self, type, none);
    f.name = function.name;
    f.cost = function.cost;
    f.flops = function.flops;
    f.scalar_only = function.scalar_only;
    f.may_be_kept = function.may_be_kept;
}

// The operands of map `id` have been described: they broadcast to its extents.
[[gnu::noinline]] inline void end_map(graph& g, node_id id) {
    node& f = g[id];
    f.end = g.nodes.end_id();
    std::fill(f.extent, f.extent + f.rank, index_t{1});
    for (node_id x : g.operands(id)) {
        for (axis_id a : g[x].axes()) {
            index_t& to = f.extent[f.rank - g[x].rank + a];
            if (to == 1) to = g[x].extent[a];
        }
    }
}

}  // namespace detail

// Append n and everything below it.
template <class N>
void describe(N const& n, graph& g) {
    node_id const id = g.nodes.end_id();
    auto const e = n.extents();
    detail::facts_of(n, apart<&detail::add_node>::call(g, &n, detail::type_of_node<N>, e.value));
    apply([&](auto const&... x) { (describe(x, g), ...); }, n.operands());
    g[id].end = g.nodes.end_id();
}
template <class F, class... X>
void describe(map_node<F, X...> const& n, graph& g) {
    using N = map_node<F, X...>;
    node_id const id = g.nodes.end_id();
    apart<&detail::begin_map>::call(g, &n, detail::type_of_node<N>, detail::type_of_function<N>);
    apply([&](auto const&... x) { (describe(x, g), ...); }, n.x);
    apart<&detail::end_map>::call(g, id);
}

}  // namespace felt::inline FELT_ABI::planning
