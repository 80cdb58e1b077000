// SPDX-License-Identifier: BSD-3-Clause
//
// A reduction over the two axes that windows() adds is read through: whoever wants an element folds
// its window.
#pragma once
#include <felt/device/fold.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/expr/view.hpp>

namespace felt::inline FELT_ABI::device {

template <class N>
inline constexpr bool is_window_fold = false;
template <class M, unsigned Mask, view_kind K, class X, std::size_t R>
    requires(X::rank >= 2)
inline constexpr bool is_window_fold<reduce_node<M, Mask, view_node<K, X, R>>> =
    R == X::rank + 2 && Mask == 3U << (R - 2);

// The last two axes of x are those of the window.
template <class F, class T, class X, std::size_t K, std::size_t R>
struct window_reader {
    axes<K, R> out;
    index_t rows, columns;
    X x;

    template <class Loop>
    FELT_FN T operator()(Loop const& loop) const {
        extents<K> const k = out(loop);
        extents<K + 2> at;
        for (std::size_t a = 0; a != K; ++a) at[a] = k[a];
        auto all = F::identity();
        for (index_t i = 0; i < rows; ++i) {
            at[K] = i;
            for (index_t j = 0; j < columns; ++j) {
                at[K + 1] = j;
                all = F{}(all, F::of(x(at), i * columns + j));
            }
        }
        return static_cast<T>(all);
    }
};

template <class M, unsigned Mask, class X, std::size_t V, std::size_t R>
auto reader(reduce_node<M, Mask, X> const& n, axes<V, R> const& m) {
    constexpr std::size_t S = X::rank;
    auto const e = n.x.head.extents();
    auto x = reader(n.x.head, own_loops<S>());
    using T = typename reduce_node<M, Mask, X>::value_type;
    using F = folding<M, T, typename X::value_type>;
    return window_reader<F, T, decltype(x), V, R>{m, e[S - 2], e[S - 1], x};
}

}  // namespace felt::inline FELT_ABI::device
