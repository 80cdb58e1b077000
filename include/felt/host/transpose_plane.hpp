// SPDX-License-Identifier: BSD-3-Clause
//
// transpose_plane: a matrix in memory to one whose rows are its columns, by tiles of registers.
// What is left of an extent that is no multiple of their side is covered by one that overlaps the
// one before; few columns, or rows, that lie one behind the other by tiles that are partly empty.
#pragma once
#include <felt/host/streaming_stores.hpp>
#include <felt/host/transpose.hpp>

namespace felt::inline FELT_ABI::host::detail {

// Elements as integers; what no integer is as large as goes one by one.
template <class T>
inline constexpr bool has_word = sizeof(T) <= 8;
template <class T>
using word_of = typename integer_of_size<has_word<T> ? static_cast<int>(sizeof(T)) : 8>::type;
// Of a register.
template <class T>
inline constexpr int word_count = batch_size<word_of<T>>;

// to[i * to_row + j] = from[i + j * from_row] for i < m, j < n, in order of i and then j.
template <class T>
struct plane {
    T* to;
    index_t to_row;
    T const* from;
    index_t from_row, m, n;

    static constexpr int side = word_count<T> < 16 ? word_count<T> : 16;
    using vec [[gnu::vector_size(sizeof(T) * side)]] = word_of<T>;

    // One tile from (i, j) on, of which so many rows and columns are there. The others are read
    // as 0, and of rows of `to` all lanes are written.
    FELT_INLINE void turn(index_t i, index_t j, int rows, int columns, bool streaming) const {
        vec r[side];
        for (int k = 0; k < side; ++k) {
            if (k < columns) std::memcpy(&r[k], from + i + (j + k) * from_row, sizeof(vec));
            else r[k] = vec{};
        }
        rounds<side, side / 2>(r);
        T* t = to + i * to_row + j;
        for (int k = 0; k < rows; ++k, t += to_row) {
            if constexpr (sizeof(vec) == sizeof(xsimd::batch<float>)) {
                if (streaming) {
                    store_streaming_bits(t, r[k]);
                    continue;
                }
            }
            std::memcpy(static_cast<void*>(t), &r[k], sizeof(vec));
        }
    }
    void one_by_one(index_t i, index_t j) const {
        for (; i < m; ++i)
            for (index_t k = j; k < n; ++k) to[i * to_row + k] = from[i + k * from_row];
    }

    // Rows of `from` are read in order, some side by side, or those of `to` written, if they are
    // much longer.
    void tiles(bool streaming) const {
        auto const at = [&](index_t i, index_t j) {
            bool const whole = i <= m - side && j <= n - side;
            turn(std::min(i, m - side), std::min(j, n - side), side, side, streaming && whole);
        };
        if (n >= 4 * m) {
            for (index_t i = 0; i < m; i += side)
                for (index_t j = 0; j < n; j += side) at(i, j);
        } else {
            for (index_t j = 0; j < n; j += side)
                for (index_t i = 0; i < m; i += side) at(i, j);
        }
    }
    bool rows_begin_lines() const { return before_lines(to, n) == 0 && to_row % side == 0; }

    // Past the caches where rows of `to` begin anywhere: tiles go to a buffer, whose rows are
    // longer than theirs, and lines of these are written whole.
    void bands() const {
        constexpr index_t columns = 1024 / sizeof(T);
        alignas(64) T band[side * (columns + side)];
        for (index_t j = 0, some = 0; j < n; j += some) {
            some = n - j <= columns + side ? n - j : columns;
            for (index_t k = 0; k < m; k += side) {
                index_t const i = std::min(k, m - side);
                plane{band, columns + side, from + i + j * from_row, from_row, side, some}.tiles(
                    false);
                for (index_t r = 0; r < side; ++r)
                    copy_streaming(to + (i + r) * to_row + j, band + r * (columns + side), some);
            }
        }
    }
    // Rows of `to` so short that the next one overwrites what a register has too many.
    void few_columns() const {
        index_t i = 0;
        for (; (i + side - 1) * n + side <= m * n; i += side)
            turn(i, 0, side, static_cast<int>(n), false);
        one_by_one(i, 0);
    }
    // Rows of `from` so short that a register reads on in the next one.
    void few_rows() const {
        index_t j = 0;
        for (; (j + side - 1) * m + side <= n * m; j += side)
            turn(0, j, static_cast<int>(m), side, false);
        one_by_one(0, j);
    }
};

// `streaming`: past the caches, where rows of `to` begin lines.
template <class T>
void transpose_plane(plane<T> const& p, bool streaming) {
    if constexpr (has_word<T>) {
        constexpr index_t side = plane<T>::side;
        if (p.m >= side && p.n >= side) {
            return streaming && !p.rows_begin_lines() ? p.bands() : p.tiles(streaming);
        }
        if (p.m >= side && p.to_row == p.n) return p.few_columns();
        if (p.n >= side && p.from_row == p.m) return p.few_rows();
    }
    p.one_by_one(0, 0);
}

}  // namespace felt::inline FELT_ABI::host::detail
