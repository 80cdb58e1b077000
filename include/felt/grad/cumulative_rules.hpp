// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives of cumsum, cumprod, cummax, cummin and logcumsumexp. Element j goes on into all
// results from j on, so each is made of sums from the end.
#pragma once
#include <felt/grad/pull.hpp>
#include <limits>

namespace felt::inline FELT_ABI::derive {

// d[.., j, ..] + .. + d[.., n - 1, ..], or the logarithm of such a sum.
template <int A, class D>
auto sums_from_end(D const& d) {
    return flip<A>(cumsum<A>(flip<A>(d)));
}
template <int A, class D>
auto logsumexp_from_end(D const& d) {
    return flip<A>(logcumsumexp<A>(flip<A>(d)));
}

template <class W, int A, class X, class Y, class D>
auto pull_node(scan_node<monoid::sum, A, X> const& n, Y const&, D const& dy, rules) {
    return pull_into<W>(n.x.head, sums_from_end<A>(whole(dy)));
}

// cumprod: the sum of dy y from the end, divided by x. The first zero makes y 0 from there on: to
// it goes the same sum of the products without it. All products with another zero after it are 0.
template <class W, int A, class X, class Y, class D>
auto pull_node(scan_node<monoid::prod, A, X> const& n, Y const& y, D const& dy, rules) {
    X const& x = n.x.head;
    auto const d = whole(dy);
    auto const zeros = cumsum<A>(cast<typename X::value_type>(x == 0));
    auto const is_first = x == 0 && zeros == 1;
    auto const without_first = cumprod<A>(where(is_first, 1, x));
    auto const by_zero = where(is_first, sums_from_end<A>(d * without_first), 0);
    auto const by_others = sums_from_end<A>(d * y) / where(x == 0, 1, x);
    return pull_into<W>(x, as_node(where(x == 0, by_zero, by_others)));
}

// cummax and cummin: all of it to the element that the result is, the first of equal ones. Where a
// result differs from the one before, that is its own place; else it is the last such place.
template <int A, class Y, class D>
auto to_own_places(Y const& y, D const& dy) {
    constexpr unsigned others = all_axes(Y::rank) & ~(1U << A);
    auto const e = y.extents();
    auto m = identity_map(e);
    m.rule[A].offset = -1;
    auto const before = make_general_view(y, m, {}, "shift");
    auto const place = with_axes<others>(iota(e[A]));
    auto const same = place > 0 && (y == before || isnan(before));
    auto const from = cummax<A>(
        where(same, 0, generator_node<counting<index_t>, index_t, Y::rank>{{}, e, "iota"}));
    return reshape(scatter_add<0>(extents<1>{{e.size()}}, flatten(from), flatten(dy)), e);
}
template <class W, int A, class X, class Y, class D>
auto pull_node(scan_node<monoid::max, A, X> const& n, Y const& y, D const& dy, rules) {
    return pull_into<W>(n.x.head, to_own_places<A>(y, whole(dy)));
}
template <class W, int A, class X, class Y, class D>
auto pull_node(scan_node<monoid::min, A, X> const& n, Y const& y, D const& dy, rules) {
    return pull_into<W>(n.x.head, to_own_places<A>(y, whole(dy)));
}

// logcumsumexp: dx[j] = sum_{i >= j} dy[i] exp(x[j] - y[i]), of positive dy and of negative ones by
// the logarithm of each sum: exp(x) by itself may be infinite. Where y is -inf, so are all x
// before.
template <int A, class X, class Y, class D>
auto of_positive(X const& x, Y const& y, D const& d) {
    using limits = std::numeric_limits<typename X::value_type>;
    auto const log_d = where(d > 0, log(where(d > 0, d, 1)), -limits::infinity());
    return exp(logsumexp_from_end<A>(log_d - maximum(y, limits::lowest())) + x);
}
template <class W, int A, class X, class Y, class D>
auto pull_node(scan_node<op::logaddexp, A, X> const& n, Y const& y, D const& dy, rules) {
    X const& x = n.x.head;
    auto const d = whole(dy);
    return pull_into<W>(x, as_node(of_positive<A>(x, y, d) - of_positive<A>(x, y, as_node(-d))));
}

}  // namespace felt::inline FELT_ABI::derive
