// SPDX-License-Identifier: BSD-3-Clause
//
// What types say for derivatives: which names an expression depends on, and which of its axes have
// extent 1 whatever it is made of.
#pragma once
#include <felt/expr/map.hpp>
#include <felt/grad/named.hpp>

namespace felt::derive {

using namespace detail;  // of expressions

// Whether N depends on what has the name W, but not by what is below another name.
template <fixed_string W, class N>
inline constexpr bool depends = true;
template <fixed_string W, class Operands>
inline constexpr bool any_depends = false;
template <fixed_string W, class... X>
inline constexpr bool any_depends<W, tuple<X...>> = (depends<W, X> || ...);
template <class N>
inline constexpr bool is_named = false;
template <fixed_string Name, class X>
inline constexpr bool is_named<named_node<Name, X>> = true;
template <fixed_string Name, class E>
inline constexpr bool is_named<let_node<Name, E>> = true;
template <class N>
inline constexpr bool is_stop = false;
template <class X>
inline constexpr bool is_stop<stop_node<X>> = true;

template <fixed_string W, class N>
    requires(is_stop<N>)
inline constexpr bool depends<W, N> = false;
template <fixed_string W, class N>
    requires(!is_stop<N> && !is_named<N>)
inline constexpr bool depends<W, N> = any_depends<W, operands_of<N>>;
template <fixed_string W, fixed_string Name, class X>
inline constexpr bool depends<W, named_node<Name, X>> = false;
template <fixed_string W, class X>
inline constexpr bool depends<W, named_node<W, X>> = true;
template <fixed_string W, fixed_string Name, class E>
inline constexpr bool depends<W, let_node<Name, E>> = false;
template <fixed_string W, class E>
inline constexpr bool depends<W, let_node<W, E>> = true;

// The same, also below other names.
template <fixed_string W, class N>
inline constexpr bool reaches = depends<W, N>;
template <fixed_string W, class Operands>
inline constexpr bool any_reaches = false;
template <fixed_string W, class... X>
inline constexpr bool any_reaches<W, tuple<X...>> = (reaches<W, X> || ...);
template <fixed_string W, class N>
    requires(!has_no_operands<N> && !is_stop<N>)
inline constexpr bool reaches<W, N> = depends<W, N> || any_reaches<W, operands_of<N>>;

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
template <class X>
inline constexpr unsigned unit_axes<stop_node<X>> = unit_axes<X>;
template <fixed_string Name, class E>
inline constexpr unsigned unit_axes<let_node<Name, E>> = unit_axes<E>;

// Those of X where it is stretched to rank R: missing axes come first.
template <class X, std::size_t R>
inline constexpr unsigned units_in = unit_axes<X> << (R - X::rank) | ((1U << (R - X::rank)) - 1);
template <class F, class... X>
inline constexpr unsigned unit_axes<map_node<F, X...>> =
    (units_in<X, map_node<F, X...>::rank> & ...);

}  // namespace felt::derive
