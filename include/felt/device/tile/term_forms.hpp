// SPDX-License-Identifier: BSD-3-Clause
//
// term(n, m, to): streaming expression n, whose axes are at m of L loops, as a term. Its numbers
// are appended to `to`, as forms that are linear in the loops.
#pragma once
#include <felt/device/host_apply.hpp>
#include <felt/device/tile/term.hpp>
#include <felt/device/window.hpp>
#include <felt/expr/contract.hpp>
#include <felt/expr/map.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/expr/view.hpp>
#include <algorithm>
#include <vector>

namespace felt::inline FELT_ABI::device {

// Of products that differ in where they begin along one axis, which of a group's sums is whose.
struct group_slots {
    std::size_t axis = 0;
    index_t first = 0, step = 0;
};

inline constexpr index_t int_limit = index_t{1} << 30;

template <std::size_t L>
struct forms {
    extents<L> loops;
    group_slots slots = {};
    std::vector<steps<L>> list = {};
    bool fits = true;    // not if a term looks at more coordinates than it can
    bool large = false;  // the coordinates of a window move numbers of more than 31 bits

    // The least and the largest value of f.
    std::pair<index_t, index_t> range(steps<L> const& f) const {
        index_t least = f.begin, most = f.begin;
        for (std::size_t l = 0; l != L; ++l) {
            (f.by[l] < 0 ? least : most) += f.by[l] * std::max<index_t>(loops[l] - 1, 0);
        }
        return {least, most};
    }
    // Whether f is an index of n elements wherever the loops are; if they are nowhere, too.
    bool is_inside(steps<L> const& f, index_t n) const {
        auto const [least, most] = range(f);
        return loops.size() == 0 || (least >= 0 && most < n);
    }
    // Whether all numbers have 31 bits.
    bool are_small() const {
        return !large && std::all_of(list.begin(), list.end(), [&](auto const& f) {
            auto const [least, most] = range(f);
            return least > -int_limit && most < int_limit;
        });
    }
};

template <class N>
inline constexpr bool is_product = false;
template <class A, class B, std::size_t R, std::size_t S>
inline constexpr bool is_product<contract_node<A, B, R, S>> = true;

// The products in an expression that are reached by maps and affine views alone: what they become
// is computed as soon as their sums are known.
template <class N>
inline constexpr int plain_products = 0;
template <class A, class B, std::size_t R, std::size_t S>
inline constexpr int plain_products<contract_node<A, B, R, S>> = 1;
template <class F, class... X>
inline constexpr int plain_products<map_node<F, X...>> = (0 + ... + plain_products<X>);
template <class X, std::size_t R>
inline constexpr int plain_products<view_node<view_kind::affine, X, R>> = plain_products<X>;
template <class X>
inline constexpr int plain_products<once_node<X>> = plain_products<X>;

// x by the windows of a pool: windows of x with a border.
template <class X, std::size_t V>
using pool_windows = view_node<view_kind::affine, view_node<view_kind::general, X, V>, V + 2>;

// What has no form of its own: by the indices of the loops.
template <class N, std::size_t V, std::size_t L>
auto term(N const& n, axes<V, L> const& m, forms<L>& to) {
    auto const x = reader(n, m);
    for (std::size_t l = 0; l != L; ++l) {
        to.list.push_back({});
        to.list.back().by[l] = 1;
    }
    return reader_term<std::remove_const_t<decltype(x)>, typename N::value_type, L>{x};
}
template <class T, std::size_t V, class Space, std::size_t L>
auto term(leaf<T, V, Space> const& n, axes<V, L> const& m, forms<L>& to) {
    auto place = along(m, n.stride);
    leaf_term<T> const x{n.data + place.begin};
    place.begin = 0;
    to.list.push_back(place);
    return x;
}
template <class T, std::size_t L>
auto term(scalar<T> const& n, axes<0, L> const&, forms<L>&) {
    return scalar_term<T>{n.value};
}
// The product of an epilogue: what its operands are, the program knows.
template <class A, class B, std::size_t R, std::size_t S, std::size_t L>
auto term(contract_node<A, B, R, S> const&, axes<R, L> const& m, forms<L>& to) {
    sum_term<typename A::value_type> sum;
    if (to.slots.step != 0) {
        sum.slot = static_cast<int>((m.offset[to.slots.axis] - to.slots.first) / to.slots.step);
    }
    return sum;
}
template <class X, std::size_t L>
auto term(once_node<X> const& n, axes<X::rank, L> const& m, forms<L>& to) {
    return term(n.x.head, m, to);
}

namespace detail {
template <class A, std::size_t V, std::size_t L>
auto map_terms(tuple<A> const& x, axes<V, L> const& m, forms<L>& to) {
    auto a = term(x.head, broadcast(m, x.head.extents()), to);
    return tuple<decltype(a)>{a};
}
template <class A, class B, class... X, std::size_t V, std::size_t L>
auto map_terms(tuple<A, B, X...> const& x, axes<V, L> const& m, forms<L>& to) {
    auto a = term(x.head, broadcast(m, x.head.extents()), to);
    auto rest = map_terms(x.tail, m, to);
    return spread([&](auto const&... each) { return felt::make_tuple(a, each...); }, rest);
}
template <class F, class T, class... X>
auto map_term_of(F const& f, tuple<X...> const& x) {
    if constexpr (std::is_empty_v<F>) return map_term<F, T, X...>{{x}};
    else return map_term<F, T, X...>{{x, f}};
}
}  // namespace detail

template <class F, class... X, std::size_t V, std::size_t L>
auto term(map_node<F, X...> const& n, axes<V, L> const& m, forms<L>& to) {
    using T = typename map_node<F, X...>::value_type;
    return detail::map_term_of<F, T>(n.f(), detail::map_terms(n.operands(), m, to));
}

// Along how many axes an operand of rank S may be left: two, as images are; three, as volumes are,
// whose channels are in groups.
template <std::size_t S>
inline constexpr std::size_t borders = S < 6 ? 2 : 3;

// Of a general view: coordinates that are always inside become part of the forms of x, the others
// are loops more for it.
template <class X, std::size_t V, std::size_t L>
auto window(view_node<view_kind::general, X, V> const& n, axes<V, L> const& m, forms<L>& to) {
    constexpr std::size_t S = X::rank, B = borders<S>;
    auto const source = n.x.head.extents();
    axes<S, L> const at = through(n.map, m);
    forms<L + B> below{};
    std::copy(to.loops.begin(), to.loops.end(), below.loops.value);
    std::fill(below.loops.value + L, below.loops.value + L + B, 1);
    axes<S, L + B> inner{};
    std::size_t found = 0, which[B] = {};
    steps<L> coordinate[B] = {};
    for (std::size_t s = 0; s != S; ++s) {
        steps<L> const own{at.offset[s], at.coef[s]};
        if (n.map.rule[s].divide == 1 && to.is_inside(own, source[s])) {
            inner.offset[s] = own.begin;
            std::copy(own.by.begin(), own.by.end(), inner.coef[s].value);
        } else if (found < B) {
            inner.coef[s][L + found] = 1;
            below.loops[L + found] = source[s];
            which[found] = s;
            coordinate[found++] = own;
        } else {
            to.fits = false;
        }
    }
    auto const x = term(n.x.head, inner, below);
    to.fits = to.fits && below.fits;
    to.large = to.large || !below.are_small();
    using term_of_x = std::remove_const_t<decltype(x)>;
    window_term<term_of_x, static_cast<int>(B)> w{.x = x, .fill = n.fill};
    std::fill(w.limit, w.limit + B, 1);
    std::fill(w.divide, w.divide + B, 1);
    for (std::size_t i = 0; i != found; ++i) {
        axis_rule const& r = n.map.rule[which[i]];
        w.limit[i] = static_cast<int>(source[which[i]]);
        w.divide[i] = static_cast<int>(r.divide);
        w.exact[i] = r.exact;
        for (std::size_t f = 0; f < below.list.size(); ++f) {
            w.per[i][f] = static_cast<int>(below.list[f].by[L + i]);
        }
    }
    to.list.insert(to.list.end(), coordinate, coordinate + B);
    for (auto const& f : below.list) {
        steps<L> own{f.begin, {}};
        std::copy_n(f.by.begin(), L, own.by.value);
        to.list.push_back(own);
    }
    return w;
}
template <view_kind K, class X, std::size_t V, std::size_t L>
    requires(K != view_kind::folded)
auto term(view_node<K, X, V> const& n, axes<V, L> const& m, forms<L>& to) {
    if constexpr (K == view_kind::affine) return term(n.x.head, through(n.map, m), to);
    else return window(n, m, to);
}

// The axes of windows of a pool that is at m, with two loops more: over the window.
template <std::size_t V, std::size_t L>
axes<V + 2, L + 2> with_window(axes<V, L> const& m) {
    axes<V + 2, L + 2> to{};
    for (std::size_t v = 0; v != V; ++v) {
        to.offset[v] = m.offset[v];
        std::copy(m.coef[v].begin(), m.coef[v].end(), to.coef[v].value);
    }
    to.coef[V][L] = 1;
    to.coef[V + 1][L + 1] = 1;
    return to;
}

// Whether they are 2 x 2, apart from each other, and no border is
// there.
template <class X, std::size_t V>
bool is_pool_of_four(
    view_node<view_kind::affine, view_node<view_kind::general, X, V>, V + 2> const& n) {
    auto const& bordered = n.x.head;
    auto const source = bordered.x.head.extents();
    bool fits = n.map.e[V] == 2 && n.map.e[V + 1] == 2;
    for (std::size_t s = 0; s != V; ++s) {
        axis_rule const &border = bordered.map.rule[s], &window = n.map.rule[s];
        fits = fits && border.offset == 0 && border.divide == 1 && bordered.map.e[s] <= source[s];
        fits = fits && (window.out2 < 0 || window.stride >= 2);
    }
    return fits;
}
// The axes of x under a pool that is at m.
template <class X, std::size_t V, std::size_t L>
axes<V, L + 2> under_pool(
    view_node<view_kind::affine, view_node<view_kind::general, X, V>, V + 2> const& n,
    axes<V, L> const& m) {
    return through(n.x.head.map, through(n.map, with_window(m)));
}

// A pool of what a product becomes.
template <class M, unsigned Mask, class X, std::size_t V, std::size_t L>
    requires(plain_products<X> == 1)
auto term(
    reduce_node<M, Mask,
                view_node<view_kind::affine, view_node<view_kind::general, X, V>, V + 2>> const& n,
    axes<V, L> const& m, forms<L>& to) {
    auto const& windows = n.x.head;
    forms<L + 2> below{};
    std::copy(to.loops.begin(), to.loops.end(), below.loops.value);
    below.loops[L] = windows.map.e[V];
    below.loops[L + 1] = windows.map.e[V + 1];
    auto const x = term(windows.x.head.x.head, under_pool(windows, m), below);
    to.fits = to.fits && below.fits;
    to.large = to.large || !below.are_small();
    using T = typename std::remove_cvref_t<decltype(n)>::value_type;
    pool_term<M, T, std::remove_const_t<decltype(x)>> pool{x, {}};
    for (std::size_t f = 0; f < below.list.size(); ++f) {
        auto const& by = below.list[f].by;
        for (int i = 0; i < 4; ++i) {
            pool.add[i][f] = static_cast<int>(i / 2 * by[L] + i % 2 * by[L + 1]);
        }
        steps<L> own{below.list[f].begin, {}};
        std::copy_n(by.begin(), L, own.by.value);
        to.list.push_back(own);
    }
    return pool;
}

}  // namespace felt::inline FELT_ABI::device
