// SPDX-License-Identifier: BSD-3-Clause
//
// Where the best value of a reduction stands: its first position, the first NaN if there is one.
// E(x, y) is the better of two, a NaN if one is. Before anything is seen, the best is E's identity
// and stands at 0: there it is if nothing is better.
#pragma once
#include <felt/core/extents.hpp>
#include <felt/host/lanes.hpp>
#include <felt/host/loop_view.hpp>

namespace felt::inline FELT_ABI::host::detail {

// A byte can stand for a bool; batches know bytes.
template <class T>
using comparable = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

// Equal, or both NaN.
template <class T>
bool alike(T x, T y) {
    return x == y || (x != x && y != y);
}

// The first of n elements that is like `value`, which is one of them.
template <class T>
index_t first_like(T const* x, index_t n, T value) {
    constexpr int N = batch_size<T>;
    using batch = xsimd::batch<T>;
    bool const number = value == value;
    index_t j = 0;
    for (; j + N <= n; j += N) {
        auto const b = batch::load_unaligned(x + j);
        if (xsimd::any(number ? b == batch(value) : !(b == b))) break;
    }
    while (j < n - 1 && !alike(x[j], value)) ++j;
    return j;
}

// Whether the rows of one result come in the order of their positions: of the loops that `mask`
// says are reduced.
inline bool in_order(planning::box const& all, loop_view const& in, unsigned mask) {
    bool first = true, ordered = true;
    for (int l = 0; l < in.rank; ++l) {
        if ((mask >> l & 1U) == 0) continue;
        bool const whole = std::min(in.block[l], all.extent(l)) >= in.extent[l];
        ordered = ordered && (first || whole);
        first = false;
    }
    return ordered;
}

// A line of n elements at positions position + step j, of which `value` is the best.
template <class E, class T, class J>
void keep_first(T& best, J& where, T value, T const* x, index_t n, index_t position, index_t step) {
    bool const better = !alike(E{}(best, value), best);
    if (!better && (position >= where || !alike(best, value))) return;
    index_t const at = position + step * first_like(x, n, value);
    if (!better && at >= where) return;
    best = value;
    where = static_cast<J>(at);
}

// The lanes whose element is later than `position`, in the form that a batch of T wants.
template <class T, int N, class J>
FELT_INLINE lane_mask<T, N> later(J const* where, J position) {
    lane_mask<J, N> m;
    for (int k = 0; k < m.count; ++k) {
        m.b[k] = xsimd::batch<J>::load_unaligned(where + k * m.width) > xsimd::batch<J>(position);
    }
    return as_mask<T>(m);
}

template <int N, class J>
FELT_INLINE void put(J* where, lane_mask<J, N> const& m, J position) {
    using batch = xsimd::batch<J>;
    for (int k = 0; k < m.count; ++k) {
        J* const p = where + k * m.width;
        math::select(m.b[k], batch(position), batch::load_unaligned(p)).store_unaligned(p);
    }
}

// Whether v is better than b, lane by lane. Nothing is better than a NaN.
template <class E, class T>
FELT_INLINE auto is_better(xsimd::batch<T> const& v, xsimd::batch<T> const& b) {
    return (!(E{}(v, b) == b)) & (b == b);
}

// Elements x[j] at one position, each compared with the best of its lane, whose position may be
// greater. Of two that are alike the earlier stays.
template <class E, class T, class J>
void keep_better(T* best, J* where, T const* x, index_t n, index_t position) {
    constexpr int N = batch_size<T>;
    using batch = xsimd::batch<T>;
    index_t j = 0;
    for (; j + N <= n; j += N) {
        auto const v = batch::load_unaligned(x + j), b = batch::load_unaligned(best + j);
        auto const same = (v == b) | ((!(b == b)) & (!(v == v)));
        lane_mask<T, N> m{{is_better<E>(v, b)}};
        m.b[0] = m.b[0] | (same & later<T, N>(where + j, static_cast<J>(position)).b[0]);
        if (xsimd::none(m.b[0])) continue;
        math::select(m.b[0], v, b).store_unaligned(best + j);
        put<N>(where + j, as_mask<J>(m), static_cast<J>(position));
    }
    for (; j < n; ++j) keep_first<E>(best[j], where[j], x[j], x + j, 1, position, 0);
}

// Elements j .. of B batches of so many rows at positions first, first + 1, .., which lie after
// those of `where`: each is compared with the best of its lane, which is loaded and stored once. A
// comparison waits for the one before: several batches do so at once.
template <class E, int B, class T, class J>
FELT_INLINE void keep_best_lanes(T* best, J* where, T const* const* rows, index_t first, int count,
                                 index_t j) {
    constexpr int N = batch_size<T>;
    using batch = xsimd::batch<T>;
    batch b[B];
    lanes<J, N> at[B];
    for (int i = 0; i < B; ++i) {
        b[i] = batch::load_unaligned(best + j + i * N);
        at[i] = lanes<J, N>::load(where + j + i * N, full{});
    }
    for (int r = 0; r < count; ++r) {
        xsimd::batch<J> const here(static_cast<J>(first + r));
        for (int i = 0; i < B; ++i) {
            auto const v = batch::load_unaligned(rows[r] + j + i * N);
            lane_mask<T, N> const m{{is_better<E>(v, b[i])}};
            auto const each = as_mask<J>(m);
            b[i] = math::select(m.b[0], v, b[i]);
            for (int k = 0; k < each.count; ++k)
                at[i].b[k] = math::select(each.b[k], here, at[i].b[k]);
        }
    }
    for (int i = 0; i < B; ++i) {
        b[i].store_unaligned(best + j + i * N);
        at[i].store(where + j + i * N, full{});
    }
}

// The same of n elements.
template <class E, class T, class J>
void keep_best_rows(T* best, J* where, T const* const* rows, index_t first, int count, index_t n) {
    constexpr int N = batch_size<T>, B = sizeof(T) < 4 ? 1 : 4;
    index_t j = 0;
    for (; j + B * N <= n; j += B * N) keep_best_lanes<E, B>(best, where, rows, first, count, j);
    for (; j + N <= n; j += N) keep_best_lanes<E, 1>(best, where, rows, first, count, j);
    if (j == n) return;
    if (n >= N) {  // some once more
        keep_best_lanes<E, 1>(best, where, rows, first, count, n - N);
        return;
    }
    for (; j < n; ++j) {
        for (int r = 0; r < count; ++r)
            keep_first<E>(best[j], where[j], rows[r][j], rows[r] + j, 1, first + r, 0);
    }
}

}  // namespace felt::inline FELT_ABI::host::detail
