// SPDX-License-Identifier: BSD-3-Clause
//
// transpose(rows): W batches of W lanes, rows[i][j] <-> rows[j][i], in registers.
// Eklundh's method: log2(W) rounds, each swaps the off-diagonal halves of ever smaller blocks.
#pragma once
#include <felt/core/config.hpp>
#include <felt/host/lanes.hpp>
#include <utility>

namespace felt::inline FELT_ABI::host {

namespace detail {

// For blocks of 2h lanes: lo takes a's first half and b's first half, hi the second halves.
template <int H, class V, int... I>
FELT_INLINE void exchange(V& a, V& b, std::integer_sequence<int, I...>) {
    constexpr int w = sizeof...(I);
    V const lo = shuffle<((I / H % 2 == 0) ? I : w + I - H)...>(a, b);
    V const hi = shuffle<((I / H % 2 == 0) ? I + H : w + I)...>(a, b);
    a = lo;
    b = hi;
}

template <int W, int H, class V>
FELT_INLINE void rounds(V* r) {
    if constexpr (H > 0) {
        for (int i = 0; i < W; ++i) {
            if ((i / H) % 2 == 0) {
                exchange<H>(r[i], r[i + H], std::make_integer_sequence<int, W>{});
            }
        }
        rounds<W, H / 2>(r);
    }
}

}  // namespace detail

template <class T, int W>
FELT_INLINE void transpose(xsimd::batch<T> (&rows)[W]) {
    static_assert(W == batch_size<T>);
    using vec [[gnu::vector_size(sizeof(T) * W)]] = T;
    vec r[W];
    std::memcpy(r, rows, sizeof(r));
    detail::rounds<W, W / 2>(r);
    std::memcpy(rows, r, sizeof(r));
}

}  // namespace felt::inline FELT_ABI::host
