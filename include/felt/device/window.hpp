// SPDX-License-Identifier: BSD-3-Clause
//
// A reduction over the two axes that windows() adds is read through: whoever wants an element folds
// its window.
#pragma once
#include <felt/device/readers.hpp>
#include <felt/device/reduce.hpp>

namespace felt::device {

template <class N>
inline constexpr bool is_window_fold = false;
template <class M, unsigned Mask, class X, std::size_t R>
inline constexpr bool is_window_fold<reduce_node<M, Mask, view_node<view_kind::general, X, R>>> =
    R == X::rank + 2 && Mask == 3U << (R - 2);

template <class M, unsigned Mask, class T, class X, std::size_t S, std::size_t K, std::size_t R>
struct window_reader {
    axes<K, R> out;
    extents<S - K> summed;
    X x;

    FELT_FN T operator()(extents<R> const& loop) const {
        extents<K> const k = out(loop);
        auto const element = [&](index_t i) { return x(joined<Mask, S>(k, index_of(i, summed))); };
        index_t const n = summed.size();
        if constexpr (finds_position<M, T>) {
            index_t best = 0;
            for (index_t i = 1; i < n; ++i) {
                if (M::better(element(i), element(best))) best = i;
            }
            return best;
        } else {
            T all = M::template identity<T>();
            for (index_t i = 0; i < n; ++i) all = M{}(all, static_cast<T>(element(i)));
            return all;
        }
    }
};

template <class M, unsigned Mask, class X, std::size_t V, std::size_t R>
auto reader(reduce_node<M, Mask, X> const& n, axes<V, R> const& m) {
    constexpr std::size_t S = X::rank;
    auto const source = n.x.head.extents();
    extents<S - V> summed;
    std::size_t s = 0;
    for (std::size_t r = 0; r != S; ++r) {
        if ((Mask >> r & 1U) != 0) summed[s++] = source[r];
    }
    auto x = reader(n.x.head, own_loops<S>());
    using T = typename reduce_node<M, Mask, X>::value_type;
    return window_reader<M, Mask, T, decltype(x), S, V, R>{m, summed, x};
}

}  // namespace felt::device
