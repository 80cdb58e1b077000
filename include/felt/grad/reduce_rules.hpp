// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives of reductions other than sums.
#pragma once
#include <felt/expr/nan_reductions.hpp>
#include <felt/expr/pool.hpp>
#include <felt/grad/pull.hpp>
#include <limits>

namespace felt::inline FELT_ABI::derive {

// max and min: all of it to the first of the elements that are equal to the result.
template <unsigned Mask, class Position, class X, class D>
auto to_first(X const& x, D const& dy) {
    constexpr unsigned kept = all_axes(X::rank) & ~Mask;
    auto const e = x.extents();
    extents<kept_axes(X::rank, kept)> reduced;
    for (std::size_t r = 0, to = 0; r != X::rank; ++r) {
        if ((Mask >> r & 1U) != 0) reduced[to++] = e[r];
    }
    using at_node = reduce_node<Position, Mask, X>;
    auto const at = with_axes<Mask>(at_node{{x}});
    using T = typename Position::template result<typename X::value_type>;
    auto const place =
        with_axes<kept>(generator_node<counting<T>, T, reduced.rank>{{}, reduced, "iota"});
    auto const d = along_reduced<Mask>(dy, e);
    return where(place == at, in_map(d), 0);
}

template <class W, unsigned Mask, class X, class Y, class D>
auto pull_node(reduce_node<monoid::max, Mask, X> const& n, Y const&, D const& dy, rules) {
    return pull_into<W>(n.x.head, as_node(to_first<Mask, monoid::argmax>(n.x.head, dy)));
}
template <class W, unsigned Mask, class X, class Y, class D>
auto pull_node(reduce_node<monoid::min, Mask, X> const& n, Y const&, D const& dy, rules) {
    return pull_into<W>(n.x.head, as_node(to_first<Mask, monoid::argmin>(n.x.head, dy)));
}

// nanmax and nanmin: the same of what is a number.
template <unsigned Mask, class Position, class X, class D>
auto to_first_number(X const& x, D const& dy, double otherwise) {
    auto const numbers = as_node(where(x == x, x, static_cast<typename X::value_type>(otherwise)));
    return as_node(to_first<Mask, Position>(numbers, dy));
}
template <class W, unsigned Mask, class X, class Y, class D>
auto pull_node(reduce_node<monoid::nanmax, Mask, X> const& n, Y const&, D const& dy, rules) {
    constexpr double least = -std::numeric_limits<double>::infinity();
    return pull_into<W>(n.x.head, to_first_number<Mask, monoid::argmax>(n.x.head, dy, least));
}
template <class W, unsigned Mask, class X, class Y, class D>
auto pull_node(reduce_node<monoid::nanmin, Mask, X> const& n, Y const&, D const& dy, rules) {
    constexpr double most = std::numeric_limits<double>::infinity();
    return pull_into<W>(n.x.head, to_first_number<Mask, monoid::argmin>(n.x.head, dy, most));
}

// Where a pool's maximum lies.
template <class J>
struct partial<place_in_image<J>> : step {};
template <class J>
struct partial<place_in_window<J>> : step {};

// A monoid of one's own has no rule. Positions and truth have no derivative, which is one.
template <class M, class... Known>
inline constexpr bool is_known_monoid = (std::is_same_v<M, Known> || ...);
template <class J, unsigned Mask, class X>
inline constexpr bool has_rule<reduce_node<monoid::argmax_as<J>, Mask, X>> = true;
template <class M, unsigned Mask, class X>
inline constexpr bool has_rule<reduce_node<M, Mask, X>> =
    is_known_monoid<M, monoid::sum, monoid::prod, monoid::max, monoid::min, monoid::nanmax,
                    monoid::nanmin, monoid::argmax, monoid::argmin, monoid::any, monoid::all>;

// prod: the product of the others. One zero leaves that of all others; two leave nothing.
template <class W, unsigned Mask, class X, class Y, class D>
auto pull_node(reduce_node<monoid::prod, Mask, X> const& n, Y const&, D const& dy, rules) {
    X const& x = n.x.head;
    auto const nonzero = as_node(where(x == 0, 1, x));
    using P = reduce_node<monoid::prod, Mask, std::remove_cvref_t<decltype(nonzero)>>;
    auto const zeros = as_node(cast<typename X::value_type>(x == 0));
    using Z = reduce_node<monoid::sum, Mask, std::remove_cvref_t<decltype(zeros)>>;
    auto const others = with_axes<Mask>(P{{nonzero}});
    auto const count = with_axes<Mask>(Z{{zeros}});
    auto const d = along_reduced<Mask>(dy, x.extents());
    auto const value =
        where(x == 0, where(count == 1, others, 0), where(count == 0, others / nonzero, 0));
    return pull_into<W>(x, as_node(in_map(d) * value));
}

}  // namespace felt::inline FELT_ABI::derive
