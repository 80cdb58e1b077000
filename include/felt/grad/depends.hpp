// SPDX-License-Identifier: BSD-3-Clause
//
// What types say for derivatives: which names an expression depends on, and which of its axes have
// extent 1 whatever it is made of.
#pragma once
#include <felt/expr/map.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/grad/named.hpp>

namespace felt::inline FELT_ABI::derive {

using namespace detail;  // of expressions

template <class N>
inline constexpr bool is_named = false;
template <class Name, class X>
inline constexpr bool is_named<named_node<Name, X>> = true;
template <class Name, class E>
inline constexpr bool is_named<let_node<Name, E>> = true;
template <class W, class N>
inline constexpr bool has_the_name = false;
template <class W, class X>
inline constexpr bool has_the_name<W, named_node<W, X>> = true;
template <class W, class E>
inline constexpr bool has_the_name<W, let_node<W, E>> = true;
// Of several names: one of them.
template <class... V, class Name, class X>
inline constexpr bool has_the_name<tuple<V...>, named_node<Name, X>> =
    (std::is_same_v<V, Name> || ...);
template <class... V, class Name, class E>
inline constexpr bool has_the_name<tuple<V...>, let_node<Name, E>> =
    (std::is_same_v<V, Name> || ...);
template <class N>
inline constexpr bool is_stop = false;
template <class X>
inline constexpr bool is_stop<stop_node<X>> = true;

template <class W, class N>
constexpr bool depends_on_name();
template <class W, class N>
constexpr bool reaches_name();

// Whether N depends on what has the name W, but not by what is below another name.
template <class W, class N>
inline constexpr bool depends = depends_on_name<W, N>();
template <class W, class Operands>
inline constexpr bool any_depends = false;
template <class W, class... X>
inline constexpr bool any_depends<W, tuple<X...>> = (depends<W, X> || ...);

// The same, also below other names.
template <class W, class N>
inline constexpr bool reaches = reaches_name<W, N>();
template <class W, class Operands>
inline constexpr bool any_reaches = false;
template <class W, class... X>
inline constexpr bool any_reaches<W, tuple<X...>> = (reaches<W, X> || ...);

template <class W, class N>
constexpr bool depends_on_name() {
    if constexpr (is_named<N>) return has_the_name<W, N>;
    else if constexpr (is_stop<N>) return false;
    else return any_depends<W, operands_of<N>>;
}
template <class W, class N>
constexpr bool reaches_name() {
    if constexpr (has_no_operands<N> || is_stop<N>) return depends<W, N>;
    else return depends<W, N> || any_reaches<W, operands_of<N>>;
}

// Whether what has the name W holds no integers; of several names, none of it does.
template <class W, class N>
constexpr bool name_is_of_numbers();
template <class W, class N>
inline constexpr bool is_of_numbers_by = name_is_of_numbers<W, N>();
template <class W, class Operands>
inline constexpr bool are_of_numbers_by = true;
template <class W, class... X>
inline constexpr bool are_of_numbers_by<W, tuple<X...>> = (is_of_numbers_by<W, X> && ...);
template <class W, class N>
constexpr bool name_is_of_numbers() {
    if constexpr (!reaches<W, N>) return true;
    else if constexpr (has_the_name<W, N>) return !std::is_integral_v<typename N::value_type>;
    else return are_of_numbers_by<W, operands_of<N>>;
}

// Whether nothing is complex on the way from what has the name W.
template <class W, class N>
constexpr bool numbers_are_real();
template <class W, class N>
inline constexpr bool is_real_by = numbers_are_real<W, N>();
template <class W, class Operands>
inline constexpr bool are_real_by = true;
template <class W, class... X>
inline constexpr bool are_real_by<W, tuple<X...>> = (is_real_by<W, X> && ...);
template <class W, class N>
constexpr bool numbers_are_real() {
    if constexpr (!reaches<W, N>) return true;
    else return !is_complex<typename N::value_type> && are_real_by<W, operands_of<N>>;
}

// Axes `of` among those that are left of so many without `gone`, a bit each.
constexpr unsigned axes_left(unsigned of, unsigned gone, std::size_t rank) {
    unsigned left = 0;
    for (std::size_t r = 0, to = 0; r < rank; ++r) {
        if ((gone >> r & 1U) == 0) left |= (of >> r & 1U) << to++;
    }
    return left;
}

// The axes of N that have extent 1 by its type, a bit each.
template <class N>
inline constexpr unsigned unit_axes = 0;
template <unsigned Mask, class X>
inline constexpr unsigned unit_axes<inserted_node<Mask, X>> = [] {
    unsigned units = Mask;
    for (std::size_t r = 0, from = 0; r < inserted_node<Mask, X>::rank; ++r) {
        if ((Mask >> r & 1U) != 0) continue;
        units |= (unit_axes<X> >> from++ & 1U) << r;
    }
    return units;
}();
template <class Monoid, unsigned Mask, class X>
inline constexpr unsigned unit_axes<reduce_node<Monoid, Mask, X>> =
    axes_left(unit_axes<X>, Mask, X::rank);
template <class X>
inline constexpr unsigned unit_axes<stop_node<X>> = unit_axes<X>;
template <class Name, class E>
inline constexpr unsigned unit_axes<let_node<Name, E>> = unit_axes<E>;

// Those of X where it is stretched to rank R: missing axes come first.
template <class X, std::size_t R>
inline constexpr unsigned units_in = unit_axes<X> << (R - X::rank) | ((1U << (R - X::rank)) - 1);
template <class F, class... X>
inline constexpr unsigned unit_axes<map_node<F, X...>> =
    (units_in<X, map_node<F, X...>::rank> & ...);

}  // namespace felt::inline FELT_ABI::derive
