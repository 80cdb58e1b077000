// SPDX-License-Identifier: BSD-3-Clause
//
// The micro-kernel: a tile of R x NV batches of c, in registers, is the sum over k of a column
// of a (broadcast) times a row of b. One for each type and instruction set serves every product.
//
//     c[i, j] (+)= sum_k a[k * R + i] * b[k * b_row + j]      i < R, j < columns = NV * W
//
// Both are packed (b_row = columns) or read where they lie; there the shared terms may come in
// several runs, as windows of an image do.
#pragma once
#include <felt/core/extents.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/host/convert.hpp>
#include <felt/host/fold.hpp>
#include <algorithm>
#include <utility>

namespace felt::inline FELT_ABI::host {

// Tile sizes. With 32 registers 14 x 2 accumulators leave 2 for b and 2 for a; with 16
// registers 6 x 2 leave 2 and 2. Arithmetic bound: 2 FMA units x 4 cycles of latency want at
// least 8 accumulators.
template <class T>
struct tile {
    static constexpr int width = batch_size<T>;
    static constexpr bool many_registers = width * sizeof(T) == 64;
    static constexpr int mr = many_registers ? 14 : 6;
    static constexpr int vectors = 2;
    static constexpr int nr = vectors * width;
};

// What is fetched early of b, which the processor does not guess. Packed, rows so far ahead. Read
// where it lies, the same row of the next columns, up to the last line that it touches (in rows of
// 60483 floats, which begin anywhere: 121 -> 68 ms): all tiles but the first find theirs in the
// second-level cache, and memory is read while all of them are computed, not only the first rows of
// c (filters of 4 MiB that come from memory, 49 rows: 80 -> 102 GFLOP/s on a Zen 4).
inline constexpr index_t prefetched_rows = 8;

// The shared terms: `count` runs of `length` terms. Run s begins at a[s] in the left operand and at
// b[s] in the right one; null: behind the run before it.
struct term_runs {
    index_t length, count = 1;
    index_t const* a = nullptr;
    index_t const* b = nullptr;
};

// The left operand of a tile: a[i * row + k * step].
template <class T>
struct left_tile {
    T const* a;
    index_t row, step;
};

template <class T, int R, int NV = tile<T>::vectors>
void micro_kernel(term_runs const& k, left_tile<T> const& left, T const* right, index_t b_row, T* c,
                  index_t c_row, bool accumulate) {
    using V = xsimd::batch<T>;
    constexpr int W = tile<T>::width;
    T const *a = left.a, *b = right;
    index_t const a_row = left.row, a_step = left.step;
    V acc[R][NV];
    FELT_UNROLL_HOST
    for (int i = 0; i < R; ++i) {
        FELT_UNROLL_HOST
        for (int v = 0; v < NV; ++v) acc[i][v] = V(T(0));
    }
    index_t const ahead = b_row > NV * W ? NV * W : prefetched_rows * b_row;
    // What c holds is added at the end: it is on its way meanwhile.
    for (int i = 0; i < R; ++i) {
        for (int v = 0; v < NV; ++v) __builtin_prefetch(c + i * c_row + v * W, 1);
    }
    for (index_t run = 0; run < k.count; ++run) {
        if (k.a != nullptr) a = left.a + k.a[run];
        if (k.b != nullptr) b = right + k.b[run];
        for (index_t p = 0; p < k.length; ++p) {
            V bv[NV];
            FELT_UNROLL_HOST
            for (int v = 0; v < NV; ++v) bv[v] = V::load_unaligned(b + v * W);
            FELT_UNROLL_HOST
            for (int i = 0; i < R; ++i) {
                V const av(a[i * a_row]);
                FELT_UNROLL_HOST
                for (int v = 0; v < NV; ++v) acc[i][v] = math::madd(av, bv[v], acc[i][v]);
            }
            for (int v = 1; v <= NV; ++v) __builtin_prefetch(b + ahead + v * W - 1, 0, 2);
            a += a_step;
            b += b_row;
        }
    }
    if (accumulate) {
        FELT_UNROLL_HOST
        for (int i = 0; i < R; ++i) {
            FELT_UNROLL_HOST
            for (int v = 0; v < NV; ++v) {
                acc[i][v] = acc[i][v] + V::load_unaligned(c + i * c_row + v * W);
            }
        }
    }
    FELT_UNROLL_HOST
    for (int i = 0; i < R; ++i) {
        FELT_UNROLL_HOST
        for (int v = 0; v < NV; ++v) acc[i][v].store_unaligned(c + i * c_row + v * W);
    }
}

// Elements that are narrower in memory than what is computed with.
template <class T, class S>
FELT_INLINE xsimd::batch<T> load_as(S const* p) {
    if constexpr (std::is_same_v<T, S>) {
        return xsimd::batch<T>::load_unaligned(p);
    } else if constexpr (is_bfloat16<S>) {
        return convert<T>(lanes<S, batch_size<T>>::load(p, full{})).b[0];
    } else {
        alignas(64) T wide[batch_size<T>];
        for (int l = 0; l < batch_size<T>; ++l) wide[l] = p[l];
        return xsimd::batch<T>::load_aligned(wide);
    }
}

// One row of c: c[j] += sum_k a[k * a_step] * b[k * b_row + j], eight rows of b at a time, in the
// order of the micro-kernel, so that the bits are the same. Bound by the memory that b comes from.
// n is at least W: columns beyond whole vectors are the end of a last one, which stays in its
// register.
template <class T, class S>
void stream_row(index_t k, T const* a, index_t a_step, S const* b, index_t b_row, T* c, index_t n) {
    using V = xsimd::batch<T>;
    constexpr int W = tile<T>::width, U = 8;
    index_t const whole = n / W * W, last = n - W;
    V rest = V::load_unaligned(c + last);
    index_t p = 0;
    for (; p + U <= k; p += U, b += U * b_row) {
        V av[U];
        FELT_UNROLL_HOST
        for (int u = 0; u < U; ++u) av[u] = V(a[(p + u) * a_step]);
        for (index_t j = 0; j < whole; j += W) {
            V value = V::load_unaligned(c + j);
            FELT_UNROLL_HOST
            for (int u = 0; u < U; ++u) {
                value = math::madd(av[u], load_as<T>(b + u * b_row + j), value);
            }
            value.store_unaligned(c + j);
        }
        if (whole == n) continue;
        FELT_UNROLL_HOST
        for (int u = 0; u < U; ++u) {
            rest = math::madd(av[u], load_as<T>(b + u * b_row + last), rest);
        }
    }
    for (; p < k; ++p, b += b_row) {
        V const av(a[p * a_step]);
        for (index_t j = 0; j < whole; j += W) {
            V const value = math::madd(av, load_as<T>(b + j), V::load_unaligned(c + j));
            value.store_unaligned(c + j);
        }
        if (whole < n) rest = math::madd(av, load_as<T>(b + last), rest);
    }
    T ends[W];
    rest.store_unaligned(ends);
    std::copy(ends + (whole - last), ends + W, c + whole);
}

// A row of terms, and where its results begin.
template <class T>
struct dot_row {
    T const* a;
    T* c;
};

// c[j] (+)= sum_k a[k] * b[k + j * b_column] of R rows and at most U columns, which are contiguous
// in b; lanes along k.
template <int R, int U, class T, class S>
void dot_tile(index_t k, dot_row<T> const* row, S const* b, index_t b_column, index_t columns,
              bool accumulate) {
    using V = xsimd::batch<T>;
    constexpr int W = tile<T>::width;
    S const* column[U];
    for (int u = 0; u < U; ++u) column[u] = b + std::min<index_t>(u, columns - 1) * b_column;
    V even[R][U], odd[R][U];
    for (int r = 0; r < R; ++r) {
        for (int u = 0; u < U; ++u) even[r][u] = odd[r][u] = V(T(0));
    }
    index_t p = 0;
    for (; p + 2 * W <= k; p += 2 * W) {
        FELT_UNROLL_HOST
        for (int r = 0; r < R; ++r) {
            V const a0 = V::load_unaligned(row[r].a + p), a1 = V::load_unaligned(row[r].a + p + W);
            FELT_UNROLL_HOST
            for (int u = 0; u < U; ++u) {
                even[r][u] = math::madd(a0, load_as<T>(column[u] + p), even[r][u]);
                odd[r][u] = math::madd(a1, load_as<T>(column[u] + p + W), odd[r][u]);
            }
        }
    }
    for (int r = 0; r < R; ++r) {
        for (index_t u = 0; u < std::min<index_t>(U, columns); ++u) {
            T total = fold<W / 2, monoid::sum>(even[r][u] + odd[r][u]);
            for (index_t q = p; q < k; ++q)
                total = static_cast<T>(total + row[r].a[q] * column[u][q]);
            T& c = row[r].c[u];
            c = accumulate ? static_cast<T>(c + total) : total;
        }
    }
}

// U columns at a time, which stay in the first-level cache for all rows.
template <int U, class T, class S>
void dot_columns(index_t k, dot_row<T>* row, int rows, S const* b, index_t b_column, index_t n,
                 bool accumulate) {
    constexpr int most = tile<T>::many_registers && U == 2 ? 4 : 2;
    for (index_t j = 0; j < n; j += U, b += U * b_column) {
        int r = 0;
        auto const tiles = [&]<int R>(std::integral_constant<int, R>) {
            for (; r + R <= rows; r += R)
                dot_tile<R, U>(k, row + r, b, b_column, n - j, accumulate);
        };
        if constexpr (most > 2) tiles(std::integral_constant<int, most>{});
        tiles(std::integral_constant<int, 2>{});
        tiles(std::integral_constant<int, 1>{});
        for (r = 0; r < rows; ++r) row[r].c += U;
    }
}

// The same of n columns and any number of rows. The order of a sum depends on k alone.
template <class T, class S>
void dot_rows(index_t k, dot_row<T>* row, int rows, S const* b, index_t b_column, index_t n,
              bool accumulate) {
    if (rows > 3) dot_columns<2>(k, row, rows, b, b_column, n, accumulate);
    else dot_columns<4>(k, row, rows, b, b_column, n, accumulate);
}

template <class T>
using micro_function = void (*)(term_runs const&, left_tile<T> const&, T const*, index_t, T*,
                                index_t, bool);

// The kernel for a strip of `rows` rows, 1 .. tile<T>::mr, and so many vectors of columns.
template <class T, int NV = tile<T>::vectors>
micro_function<T> micro_kernel_for(int rows) {
    static constexpr auto table = []<int... I>(std::integer_sequence<int, I...>) {
        struct {
            micro_function<T> f[sizeof...(I)];
        } const t{{&micro_kernel<T, I + 1, NV>...}};
        return t;
    }(std::make_integer_sequence<int, tile<T>::mr>{});
    return table.f[rows - 1];
}

}  // namespace felt::inline FELT_ABI::host
