// SPDX-License-Identifier: BSD-3-Clause
//
// copy_box: to[i...] = from[i...] over a box, for any strides of both. If each side is
// contiguous along an axis of its own, W x W blocks are transposed in registers.
#pragma once
#include <felt/host/transpose.hpp>
#include <felt/plan/box.hpp>

namespace felt::host {

using planning::box;
using planning::max_axes;

template <class T>
struct strided {
    T* data;                       // element 0, 0, ... of the box
    index_t stride[max_axes];
};

namespace detail {

// The axis of stride 1, else -1; axes of extent 1 do not count unless nothing else is there.
inline int unit_axis(index_t const* stride, box const& b) {
    for (int a = b.rank - 1; a >= 0; --a) {
        if (stride[a] == 1 && b.extent(a) > 1) return a;
    }
    return -1;
}

template <class T>
void copy_row(T* to, index_t to_step, T const* from, index_t from_step, index_t n) {
    if (to_step == 1 && from_step == 1) {
        std::memcpy(static_cast<void*>(to), from, static_cast<std::size_t>(n) * sizeof(T));
    } else {
        for (index_t i = 0; i < n; ++i) to[i * to_step] = from[i * from_step];
    }
}

// to[i * to_row + j] = from[i + j * from_row] for i < m, j < n. Rows of `from` are read in
// order, W of them side by side, so that every cache line is used up while it is near.
template <class T>
void transpose_plane(T* to, index_t to_row, T const* from, index_t from_row, index_t m, index_t n) {
    index_t j = 0;
    if constexpr (sizeof(T) >= 4) {
        constexpr int W = batch_size<T>;
        for (; j + W <= n; j += W) {
            T const* const f = from + j * from_row;
            index_t i = 0;
            for (; i + W <= m; i += W) {
                xsimd::batch<T> rows[W];
                for (int r = 0; r < W; ++r) {
                    rows[r] = xsimd::batch<T>::load_unaligned(f + i + r * from_row);
                }
                transpose<T, W>(rows);
                for (int r = 0; r < W; ++r) rows[r].store_unaligned(to + (i + r) * to_row + j);
            }
            for (; i < m; ++i) copy_row(to + i * to_row + j, index_t{1}, f + i, from_row, W);
        }
    }
    for (; j < n; ++j) {
        for (index_t i = 0; i < m; ++i) to[i * to_row + j] = from[i + j * from_row];
    }
}

}  // namespace detail

template <class T>
[[gnu::noinline]] void copy_box(strided<T> const& to, strided<T const> const& from, box b) {
    for (int a = 0; a < b.rank; ++a) {
        b.hi[a] -= b.lo[a];
        b.lo[a] = 0;
        if (b.hi[a] <= 0) return;
    }
    int const tu = detail::unit_axis(to.stride, b), fu = detail::unit_axis(from.stride, b);
    int const inner = tu >= 0 ? tu : b.rank - 1;
    bool const across = tu >= 0 && fu >= 0 && tu != fu;
    box outer = b;
    if (across) outer.hi[fu] = 1;
    auto offset = [&](index_t const* stride, index_t const* at) {
        index_t o = 0;
        for (int a = 0; a < b.rank; ++a) o += stride[a] * at[a];
        return o;
    };
    planning::for_each_row(outer, inner, [&](index_t const* at) {
        T* const t = to.data + offset(to.stride, at);
        T const* const f = from.data + offset(from.stride, at);
        if (across) {
            detail::transpose_plane(t, to.stride[fu], f, from.stride[tu], b.hi[fu], b.hi[tu]);
        } else if (b.rank == 0) {
            *t = *f;
        } else {
            detail::copy_row(t, to.stride[inner], f, from.stride[inner], b.hi[inner]);
        }
    });
}

}  // namespace felt::host
