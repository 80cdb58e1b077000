// SPDX-License-Identifier: BSD-3-Clause
//
// Loops 1 and 2 of a product (gemm.hpp): all mr x nr tiles of c for packed rows of the left operand
// and strips of columns of the right one.
#pragma once
#include <felt/host/micro.hpp>
#include <felt/plan/box.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::host {

// c begins here; its rows are `row` apart. `padded`: they have room for whole tiles. `add`: to
// what is there.
template <class T>
struct cells {
    T* c;
    index_t row;
    bool padded, add;
};

// `height` rows of the left operand: they begin at `offset`, and those of the product at `to`.
struct row_strip {
    index_t offset, to;
    int height;
};

// The left operand in strips; element (i, k) of a strip is at i * row + k * step. A packed strip
// is as wide as it has rows: that is its step. One of 0 repeats what all terms have in common.
template <class T>
struct left_strips {
    T const* data;
    row_strip const* strip;
    index_t strips, row;
    bool packed;
    index_t step = 0;
};

// The right operand: strips `pitch` apart, terms `row` apart; packed, or read where it lies.
template <class T>
struct right_strips {
    T const* data;
    index_t pitch, row;
};

// f(strip, first column, whether a vector of them is enough, c, step of its rows) for all tiles of
// c, the strips of rows one behind the other. A tile that sticks out of c goes through one that
// does not.
template <class T, class F>
void for_each_tile(index_t n, row_strip const* strip, index_t strips, cells<T> const& to, F&& f) {
    using geometry = tile<T>;
    for (row_strip const* s = strip; s != strip + strips; ++s) {  // loop 1
        for (index_t j = 0; j < n; j += geometry::nr) {           // loop 2
            T* const c = to.c + s->to + j;
            bool const narrow = n - j <= geometry::width;
            if (to.padded || n - j >= (narrow ? geometry::width : geometry::nr)) {
                f(*s, j, narrow, c, to.row);
                continue;
            }
            auto const some = static_cast<int>(n - j);
            alignas(64) T t[geometry::mr * geometry::nr];
            for (int i = 0; i < s->height && to.add; ++i)
                std::copy(c + i * to.row, c + i * to.row + some, t + i * geometry::nr);
            f(*s, j, narrow, t, geometry::nr);
            for (int i = 0; i < s->height; ++i)
                std::copy(t + i * geometry::nr, t + i * geometry::nr + some, c + i * to.row);
        }
    }
}

// c (+)= a * b for n columns. A strip of the left operand stays in the first-level cache while all
// of the right one comes from the second.
template <class T>
void multiply_tiles(index_t n, term_runs const& terms, left_strips<T> const& left,
                    right_strips<T> const& right, cells<T> const& to) {
    auto const multiply = [&](row_strip const& s, index_t j, bool narrow, T* c, index_t c_row) {
        int const h = s.height;
        left_tile<T> const a{left.data + s.offset, left.row, left.packed ? h : left.step};
        T const* const b = right.data + j / tile<T>::nr * right.pitch;
        auto const kernel = narrow ? micro_kernel_for<T, 1>(h) : micro_kernel_for<T>(h);
        kernel(terms, a, b, right.row, c, c_row, to.add);
    };
    for_each_tile(n, left.strip, left.strips, to, multiply);
}

}  // namespace felt::inline FELT_ABI::host
