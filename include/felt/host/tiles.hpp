// SPDX-License-Identifier: BSD-3-Clause
//
// Loop 1 of a product: all tiles of c for packed rows of the left operand and strips of columns
// of the right one.
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

// The left operand in strips of `height` rows, `pitch` elements apart.
template <class T>
struct left_strips {
    T const* data;
    int height;
    index_t pitch;
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
void edge_tile(index_t terms, T const* a, T const* b, index_t b_row, cells<T> const& to, int h,
               int count) {
    using geometry = tile<T>;
    alignas(64) T t[geometry::rows * geometry::columns];
    for (int i = 0; i < h && to.add; ++i) {
        std::copy(to.c + i * to.row, to.c + i * to.row + count, t + i * geometry::columns);
    }
    micro_kernel_for<T>(h)(terms, a, b, b_row, t, geometry::columns, to.add);
    for (int i = 0; i < h; ++i) {
        T const* const from = t + i * geometry::columns;
        std::copy(from, from + count, to.c + i * to.row);
    }
}

}  // namespace detail

// c (+)= a * b for m rows, n columns and `terms` shared terms.
template <class T>
void multiply_tiles(index_t m, index_t n, index_t terms, left_strips<T> const& left,
                    right_strips<T> const& right, cells<T> const& to) {
    using geometry = tile<T>;
    for (index_t j = 0, js = 0; j < n; j += geometry::columns, ++js) {
        T const* const b = right.data + js * right.pitch;
        bool const edge = !to.padded && n - j < geometry::columns;
        for (index_t i = 0, is = 0; i < m; i += left.height, ++is) {
            int const h = static_cast<int>(std::min<index_t>(left.height, m - i));
            T const* const a = left.data + is * left.pitch;
            cells<T> const cell{to.c + i * to.row + j, to.row, to.padded, to.add};
            if (edge) {
                detail::edge_tile(terms, a, b, right.row, cell, h, static_cast<int>(n - j));
            } else {
                micro_kernel_for<T>(h)(terms, a, b, right.row, cell.c, cell.row, cell.add);
            }
        }
    }
}

}  // namespace felt::host
