// SPDX-License-Identifier: BSD-3-Clause
//
// scatter_add<A>(extents, indices, x): zeros of `extents`, to which every slice of x along axis
// A is added: out[.., indices[i], ..] += x[.., i, ..], in the order of i. The derivative of
// gather. An index outside throws before anything is written.
#pragma once
#include <felt/expr/promote.hpp>
#include <felt/expr/views/gather.hpp>

namespace felt::inline FELT_ABI {

template <class X, class I>
struct FELT_LAZY scatter_node {
    using value_type = typename X::value_type;
    using space = join_space_t<typename X::space, typename I::space>;
    static constexpr node_kind what = node_kind::scatter;
    static constexpr std::size_t rank = X::rank;
    static constexpr char const* name = "scatter_add";

    tuple<X, I> x;
    int axis;
    felt::extents<rank> e;

    FELT_FN felt::extents<rank> extents() const { return e; }
    FELT_FN tuple<X, I> const& operands() const { return x; }
    template <class V, class W>
    FELT_FN scatter_node<V, W> over(tuple<V, W> y) const {
        return {std::move(y), axis, e};
    }
    bool has_data_of(scatter_node const& n) const { return axis == n.axis && e == n.e; }

    // Indices lie below this.
    FELT_FN index_t limit() const { return e[static_cast<std::size_t>(axis)]; }
};

template <int A, std::size_t R, array_operand I, array_operand X>
    requires axis_is_in_range<A, R> && (rank_of<X> == R) && (rank_of<I> == 1) &&
             gather_indices_are_integers<I> && operands_share_a_space<space_of<X>, space_of<I>>
auto scatter_add(extents<R> const& e, I&& indices, X&& x) {
    constexpr std::size_t axis = axis_v<A, R>;
    auto nx = detail::as_computed(std::forward<X>(x));
    auto ni = as_node(std::forward<I>(indices));
    auto want = e;
    want[axis] = ni.extents()[0];
    if (nx.extents() != want) {
        throw shape_error("scatter_add: " + to_string(nx.extents()) + " where " + to_string(want) +
                          " is added to " + to_string(e));
    }
    using N = scatter_node<decltype(nx), decltype(ni)>;
    return N{{std::move(nx), {std::move(ni)}}, static_cast<int>(axis), e};
}
template <int A, std::size_t R, array_operand I, array_operand X>
auto scatter_add(extent_arg const (&e)[R], I&& indices, X&& x) {
    return scatter_add<A>(make_extents(e), std::forward<I>(indices), std::forward<X>(x));
}

}  // namespace felt::inline FELT_ABI
