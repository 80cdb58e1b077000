// SPDX-License-Identifier: BSD-3-Clause
//
// take_along_axis<A>(x, indices)[.., i, ..] = x[.., indices[.., i, ..], ..]: an index for every
// element of the result, as argmax gives them. put_along_axis<A>(x, indices, values): x with
// values in these places. Both are a gather and a scatter_add of all elements in a row.
#pragma once
#include <felt/expr/fill.hpp>
#include <felt/expr/functions.hpp>
#include <felt/expr/views/reshape.hpp>
#include <felt/expr/views/scatter.hpp>

namespace felt::inline FELT_ABI {

template <class X, class I>
concept indices_have_the_rank = rank_of<X> == rank_of<I>;

namespace detail {

// Where the elements that indices name along axis A stand in the row-major order of extents e.
template <int A, std::size_t R, array_operand I>
auto flat_indices(char const* name, extents<R> const& e, I&& indices) {
    constexpr std::size_t axis = axis_v<A, R>;
    auto n = as_node(std::forward<I>(indices));
    auto const f = n.extents();
    index_t outer = 1, inner = 1;
    for (std::size_t r = 0; r != R; ++r) {
        if (r != axis && e[r] != f[r]) {
            throw shape_error(name + (": " + to_string(e) + " and indices of " + to_string(f)) +
                              " differ beside axis " + std::to_string(axis));
        }
        bool const before = static_cast<int>(r) < static_cast<int>(axis);
        if (r != axis) (before ? outer : inner) *= e[r];
    }
    // What gather does to 0, 1, .. is to refuse an index outside of the axis.
    auto const along = gather<0>(iota(e[axis]), flatten(std::move(n)));
    auto const at = reshape(along, {outer, f[axis], inner});
    auto const first = expand_dims<1>(expand_dims<1>(iota(outer) * e[axis]));
    return flatten((first + at) * inner + iota(inner));
}

}  // namespace detail

// Throws shape_error if extents differ beside the axis, and, before anything is written, if an
// index lies outside.
template <int A, array_operand X, array_operand I>
    requires axis_is_in_range<A, rank_of<X>> && indices_have_the_rank<X, I> &&
             gather_indices_are_integers<I> && operands_share_a_space<space_of<X>, space_of<I>>
auto take_along_axis(X&& x, I&& indices) {
    auto const e = shape_of(x);
    auto const to = shape_of(indices);
    auto at = detail::flat_indices<A>("take_along_axis", e, std::forward<I>(indices));
    return reshape(gather<0>(flatten(std::forward<X>(x)), std::move(at)), to);
}

// Values broadcast to the indices' extents; those for one place are added.
template <int A, array_operand X, array_operand I, operand V>
    requires axis_is_in_range<A, rank_of<X>> && indices_have_the_rank<X, I> &&
             gather_indices_are_integers<I> && assignment_does_not_narrow<X, V> &&
             operands_share_a_space<space_of<X>, space_of<I>, space_of<V>>
auto put_along_axis(X&& x, I&& indices, V&& values) {
    auto const e = shape_of(x);
    auto const to = shape_of(indices);
    extents<1> const all{{e.size()}}, many{{to.size()}};
    auto at = detail::flat_indices<A>("put_along_axis", e, std::forward<I>(indices));
    auto put =
        detail::broadcast_view(detail::to_type<value_of<X>>(as_node(std::forward<V>(values))), to);
    auto const hits = scatter_add<0>(all, at, full(many, 1));
    return where(reshape(hits, e) != 0, reshape(scatter_add<0>(all, at, flatten(put)), e),
                 std::forward<X>(x));
}

}  // namespace felt::inline FELT_ABI
