// SPDX-License-Identifier: BSD-3-Clause
//
// Loops 1 and 2 of a product (gemm.hpp): all mr x nr tiles of c for packed rows of the left operand
// and strips of columns of the right one.
#pragma once
#include <felt/host/micro.hpp>
#include <felt/plan/box.hpp>
#include <algorithm>

namespace felt::host {

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

namespace detail {

// A tile that sticks out of the destination goes through one that does not.
template <class T>
void edge_tile(micro_function<T> kernel, term_runs const& terms, left_tile<T> const& a, T const* b,
               index_t b_row, cells<T> const& to, int h, int count) {
    using geometry = tile<T>;
    alignas(64) T t[geometry::mr * geometry::nr];
    for (int i = 0; i < h && to.add; ++i) {
        std::copy(to.c + i * to.row, to.c + i * to.row + count, t + i * geometry::nr);
    }
    kernel(terms, a, b, b_row, t, geometry::nr, to.add);
    for (int i = 0; i < h; ++i) {
        T const* const from = t + i * geometry::nr;
        std::copy(from, from + count, to.c + i * to.row);
    }
}

}  // namespace detail

// c (+)= a * b for n columns. A strip of the left operand stays in the first-level cache while all
// of the right one comes from the second.
template <class T>
void multiply_tiles(index_t n, term_runs const& terms, left_strips<T> const& left,
                    right_strips<T> const& right, cells<T> const& to) {
    using geometry = tile<T>;
    for (row_strip const* s = left.strip; s != left.strip + left.strips; ++s) {  // loop 1
        int const h = s->height;
        left_tile<T> const a{left.data + s->offset, left.row, left.packed ? h : left.step};
        auto const whole = micro_kernel_for<T>(h), narrow = micro_kernel_for<T, 1>(h);
        for (index_t j = 0, js = 0; j < n; j += geometry::nr, ++js) {  // loop 2
            T const* const b = right.data + js * right.pitch;
            T* const c = to.c + s->to + j;
            bool const half = n - j <= geometry::width;
            auto const kernel = half ? narrow : whole;
            if (to.padded || n - j >= (half ? geometry::width : geometry::nr)) {
                kernel(terms, a, b, right.row, c, to.row, to.add);
            } else {
                detail::edge_tile(kernel, terms, a, b, right.row, {c, to.row, to.padded, to.add}, h,
                                  static_cast<int>(n - j));
            }
        }
    }
}

}  // namespace felt::host
