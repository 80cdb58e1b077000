// SPDX-License-Identifier: BSD-3-Clause
//
// Rows in which each element of a source comes several times.
#pragma once
#include <felt/host/copy.hpp>
#include <felt/host/shuffle.hpp>
#include <algorithm>
#include <cstring>
#include <utility>

namespace felt::inline FELT_ABI::host {

namespace detail {

// i / d, for i >= 0. Mostly d is 1, and a division takes as long as a row of a few steps.
FELT_INLINE index_t quotient(index_t i, index_t d) { return d == 1 ? i : i / d; }

template <int W>
using lanes_up_to = std::make_integer_sequence<int, W>;

// The elements f[0] ... in a register, each twice, to p.
template <class T, int... I>
FELT_INLINE void put_twice(T* p, T const* f, std::integer_sequence<int, I...>) {
    constexpr int W = sizeof...(I);
    using vec [[gnu::vector_size(sizeof(T) * W)]] = word_of<T>;
    vec v;
    std::memcpy(&v, f, sizeof(v));
    vec const lower = shuffle<(I / 2)...>(v, v), upper = shuffle<((W + I) / 2)...>(v, v);
    std::memcpy(static_cast<void*>(p), &lower, sizeof(v));
    std::memcpy(static_cast<void*>(p + W), &upper, sizeof(v));
}

// p[j] = f[j / 2] for j < n, in steps of two registers of W lanes, the last of which overlaps
// others; false if n is less than a step of the narrowest.
template <class T, int W = word_count<T>>
bool twice(T* p, index_t n, T const* f) {
    if (n < 2 * W) {
        if constexpr (W * sizeof(T) > 16) return twice<T, W / 2>(p, n, f);
        else return false;
    }
    index_t const last = (n - 2 * W) / 2 * 2;
    for (index_t j = 0; j < last; j += 2 * W) put_twice(p + j, f + j / 2, lanes_up_to<W>{});
    put_twice(p + last, f + last / 2, lanes_up_to<W>{});
    p[n - 1] = f[(n - 1) / 2];
    return true;
}

// p[j] = f[(start + j) / times * stride] for j < n. A store is as wide as a short register: the
// next one overwrites what is too much.
template <class T>
void repeat(T* p, index_t n, T const* f, index_t stride, index_t start, index_t times) {
    constexpr index_t K = 16 / static_cast<index_t>(sizeof(T));
    if constexpr (has_word<T>) {
        if (times == 2 && stride == 1 && start % 2 == 0 && twice(p, n, f + start / 2)) return;
    }
    index_t const begun = start / times;
    index_t run = times - (start - begun * times);
    f += begun * stride;
    for (index_t j = 0; j < n; f += stride) {
        T some[K];
        for (index_t k = 0; k < K; ++k) some[k] = *f;
        index_t const end = std::min(n, j + run);
        for (; j < end && j + K <= n; j += K) std::memcpy(p + j, some, sizeof(some));
        for (; j < end; ++j) p[j] = *f;
        j = end;
        run = times;
    }
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI::host
