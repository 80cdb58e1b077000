// SPDX-License-Identifier: BSD-3-Clause
//
// What mistakes are told. A function that takes nothing stands beside one with rules: its parameter
// converts from what breaks them, by a deleted constructor, so it is chosen where nothing else is.
// A compiler shows the deleted line, and with it what to write; nothing more is convertible.
#pragma once
#include <felt/core/concepts.hpp>

namespace felt::inline FELT_ABI {

// The rule of y = e that is broken first.
template <class D, class E>
concept rank_is_too_high =
    operand<E> && destination_is_writable<D> && !expression_rank_fits_destination<D, E>;
template <class D, class E>
concept would_narrow = operand<E> && destination_is_writable<D> &&
                       expression_rank_fits_destination<D, E> && !assignment_does_not_narrow<D, E>;
template <class D, class E>
concept lies_elsewhere =
    operand<E> && destination_is_writable<D> && expression_rank_fits_destination<D, E> &&
    assignment_does_not_narrow<D, E> && !destination_and_expression_share_a_space<D, E>;

template <std::size_t Rank, int... Axes>
concept axes_are_in_one_range = (axis_is_in_range<Axes, Rank> && ...);

// clang-format off

// Of y = e, y a D; Named says that a statement may keep y.
template <class D, bool Named = true>
struct refused {
    template <operand E> requires(!destination_is_writable<D>)
    refused(E&&) = delete;  // destination_is_writable, elements_are_writable: a tensor or a view, and not const
    template <class E> requires rank_is_too_high<D, E>
    refused(E&&) = delete;  // expression_rank_fits_destination: reduce it, y = sum<0>(e), or give y the rank of e
    template <class E> requires would_narrow<D, E>
    refused(E&&) = delete;  // assignment_does_not_narrow: say so, y = cast<float>(e) for a tensor of float, y = real(e) of complex numbers
    template <class E> requires lies_elsewhere<D, E>
    refused(E&&) = delete;  // destination_and_expression_share_a_space: copy it first, to<Space>(x)
    template <class E> requires(!Named) && assignable_from<D, E> && destination_is_writable<D>
    refused(E&&) = delete;  // destination_outlives_statement: assign to a tensor with a name, or to a view
};

// Of fuse(e), explain(y = e).
struct refused_value {
    template <array_operand E>
    refused_value(E&&) = delete;  // all_are_statements: fuse(assign(y, e)), explain(assign(y, e))
};

// Of noalias(y).
struct refused_destination {
    template <array_operand D>
    refused_destination(D&&) = delete;  // destination_is_writable: a tensor or a view, and not const
};

namespace detail {
template <int... Axes>
struct refused_axes {
    template <array_operand X> requires(!axes_are_in_one_range<rank_of<X>, Axes...>)
    refused_axes(X&&) = delete;  // axis_is_in_range: axes are 0 .. r-1, or -r .. -1 from the end, for rank r
    template <array_operand X> requires axes_are_in_one_range<rank_of<X>, Axes...> && (!elements_are_real<X>)
    refused_axes(X&&) = delete;  // elements_are_real: complex numbers have no order, max(abs(z)); or axes_are_distinct: each once
    template <array_operand X> requires axes_are_in_one_range<rank_of<X>, Axes...> && elements_are_real<X>
    refused_axes(X&&) = delete;  // axes_are_distinct: each once, as template arguments, sum<0, 2>(x), sum<1>(x, keepdims)
};
template <int... Axes>
struct refused_monoid {
    template <array_operand X> requires(!axes_are_in_one_range<rank_of<X>, Axes...>)
    refused_monoid(X&&) = delete;  // axis_is_in_range: axes are 0 .. r-1, or -r .. -1 from the end, for rank r
    template <array_operand X> requires axes_are_in_one_range<rank_of<X>, Axes...>
    refused_monoid(X&&) = delete;  // monoid_of: reduce<1>(M{}, x), M a struct without data that has T identity<T>() and a function of (T, T)
};
}  // namespace detail

// Of reduce<Axes...>(m, x).
template <int... Axes>
using refused_monoid = std::type_identity_t<detail::refused_monoid<Axes...>>;

// Of f<Axes...>(x), f(x, ..).
template <int... Axes>
using refused_axes = std::type_identity_t<detail::refused_axes<Axes...>>;

// Of arrays that are none here: x + v, x = v (that does not convert itself to a D), view(v).
// (A foreign_array's view() is one of the functions that ask: it must not be asked for in turn.)
template <class V>
concept is_container = !strided_array<V> && !requires {
    sizeof(foreign_array<std::remove_cvref_t<V>>);
} && requires(std::remove_reference_t<V>& v) {
    v.data();
    v.size();
};
template <class D = void>
struct refused_container {
    template <class V> requires is_container<V> && (!std::is_convertible_v<V, D>)
    refused_container(V&&) = delete;  // operand: its elements are view(v.data(), {v.size()})
};

namespace detail {
template <class A>
struct refused_bits {
    template <operand B> requires(!(std::is_integral_v<value_of<A>> && std::is_integral_v<value_of<B>>))
    refused_bits(B&&) = delete;  // operands_are_integers: or conditions, (x > 0) & (y < 1); cast<int>(x) & 1
};
}  // namespace detail

// Of a & b, a an A, and its like; of ~b.
template <class A = bool>
using refused_bits = std::type_identity_t<detail::refused_bits<A>>;

// Of permute(x, 1, 0), transpose<1, 0>(x).
struct refused_permutation {
    template <array_operand X>
    refused_permutation(X&&) = delete;  // axes_are_a_permutation: every axis once, permute<1, 0, 2>(x)
};

// Of reshape(x, 3, 4).
struct refused_extents {
    template <array_operand X>
    refused_extents(X&&) = delete;  // extents stand in braces: reshape(x, {3, 4})
};

// Of slice(x, 0).
template <std::size_t Parts>
struct refused_parts {
    template <array_operand X> requires(rank_of<X> != Parts)
    refused_parts(X&&) = delete;  // one_part_for_every_axis: slice(x, i, all()), slice(x, all(), range(0, 3))
    template <array_operand X> requires(rank_of<X> == Parts)
    refused_parts(X&&) = delete;  // slice_part: an integer, from(a), until(b), range(a, b) or all(); ellipsis once
};

// Of f(a, b), a product.
template <class B>
struct refused_factors {
    template <operand A> requires(!array_operand<A> || !array_operand<B>)
    refused_factors(A&&) = delete;  // array_operand: both have axes; by a number it is a * s
    template <array_operand A> requires array_operand<B> && (!operands_share_a_space<space_of<A>, space_of<B>>)
    refused_factors(A&&) = delete;  // operands_share_a_space: copy one of them first, to<Space>(x)
    template <array_operand A> requires array_operand<B> && operands_share_a_space<space_of<A>, space_of<B>>
    refused_factors(A&&) = delete;  // matmul has axes to sum, at most seven; dot takes vectors, kron matrices, einsum any
};

// Of einsum<"..">(a, ..).
struct refused_letters {
    template <operand A>
    refused_letters(A&&) = delete;  // einsum_is_well_formed: a letter per axis, the result's known and once, "ij,jk->ik"
};

// Of einsum("..", a, ..).
struct refused_string {
    refused_string(char const*) = delete;  // the letters are a template argument: einsum<"ij,jk->ik">(a, b)
};

// Of concat<A>(x, y, ..).
template <int Axis, class... Y>
struct refused_pair {
    template <array_operand X> requires(sizeof...(Y) == 0)
    refused_pair(X&&) = delete;  // two or more: concat<0>(x, y)
    template <array_operand X> requires((rank_of<X> != rank_of<Y>) || ...)
    refused_pair(X&&) = delete;  // operands_have_one_rank: concat<0>(matrix, expand_dims<0>(vector))
    template <array_operand X> requires(sizeof...(Y) > 0 && ((rank_of<X> == rank_of<Y>) && ...) && !axis_is_in_range<Axis, rank_of<X>>)
    refused_pair(X&&) = delete;  // axis_is_in_range: the axis is a template argument, concat<0>(x, y), below the rank
    template <array_operand X> requires(sizeof...(Y) > 0 && ((rank_of<X> == rank_of<Y>) && ...) && axis_is_in_range<Axis, rank_of<X>>)
    refused_pair(X&&) = delete;  // operands_share_a_space: copy one of them first, to<Space>(x)
};

// Of gather<A>(x, i).
template <int Axis>
struct refused_indices {
    template <array_operand X> requires(!axis_is_in_range<Axis, rank_of<X>>)
    refused_indices(X&&) = delete;  // axis_is_in_range: the axis is a template argument, gather<0>(x, i), below the rank
    template <array_operand X> requires axis_is_in_range<Axis, rank_of<X>>
    refused_indices(X&&) = delete;  // gather_indices_are_integers: a vector in the same space, gather<0>(x, cast<int>(i))
};

// Of x(i).
template <bool ElementAccess>
struct refused_index {
    template <std::integral I> requires ElementAccess
    refused_index(I) = delete;  // one_index_for_every_axis: x(i, j); a row is slice(x, i, all())
    template <std::integral I> requires(!ElementAccess)
    refused_index(I) = delete;  // element_access_is_possible: only on the host, copy it first, to<Host>(x)
};

// clang-format on

}  // namespace felt::inline FELT_ABI
