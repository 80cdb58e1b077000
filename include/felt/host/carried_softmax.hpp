// SPDX-License-Identifier: BSD-3-Clause
//
// Softmax along the terms of a product, some terms at a time (expr/carried_softmax.hpp): for each
// row the largest score so far, and the sum of exp(score - largest).
#pragma once
#include <felt/expr/carried_softmax.hpp>
#include <felt/host/macro_kernel.hpp>
#include <felt/host/reduce_kernels.hpp>
#include <felt/host/row_source.hpp>
#include <felt/host/scratch.hpp>
#include <felt/plan/3_tiling/scratch_layout.hpp>
#include <limits>

namespace felt::inline FELT_ABI::host {

// Whether where(mask, scores, -infinity) leaves any scores of a box as they are: all others weigh
// nothing, and need not be computed.
template <class F, class C, class S, class T>
    requires selects_elements<F>
bool mask_leaves_any(
    bound<map_node<felt::detail::softmax_of_terms, map_node<F, C, S, scalar<T>>>>& x,
    loop_view const& loops, box const& b, arena& scratch) {
    auto& masked = x.template operand<0>();
    if (masked.template operand<2>().row(nullptr) != -std::numeric_limits<T>::infinity())
        return true;
    auto& mask = masked.template operand<0>();
    mask.prepare(b);
    auto const rows = rows_of(mask);
    int const lane = loops.lane;
    index_t const lo = lane < 0 ? 0 : b.lo[lane], n = lane < 0 ? 1 : b.extent(lane);
    scratch_scope const scope(scratch);
    bool* const room = scratch.template take<bool>(n);
    bool any = false;
    planning::for_each_row(b, lane, [&](index_t const* at) {
        if (any) return;
        bool const* const row = rows.line(at, lo, lo + n, room);
        any = std::find(row, row + n, true) != row + n;
    });
    return any;
}

// Rows of scores, each with some room behind it.
template <class T>
struct score_rows {
    T* data;
    index_t rows, terms;

    T* row(index_t i) const { return data + i * (terms + planning::row_padding); }
};

template <class T>
class carried_softmax {
    static constexpr int W = batch_size<T>;
    using V = xsimd::batch<T>;

public:
    void make_room(index_t rows, arena& scratch) {
        if (rows <= capacity_) return;
        largest_ = scratch.template take<T>(2 * rows);
        sum_ = largest_ + rows;
        capacity_ = rows;
    }

    // Scores become exp(score - largest). The n columns of results that are there become what they
    // would be by that; there are none before the first terms.
    [[gnu::noinline]] void weigh(index_t first, score_rows<T> const& x, index_t n,
                                 cells<T> const& to) {
        for (index_t i = 0; i < x.rows; ++i) {
            T* const row = x.row(i);
            T &largest = largest_[first + i], &sum = sum_[first + i];
            T const here = detail::reduce_line<monoid::max>(row, x.terms);
            T const now = to.add ? monoid::max{}(largest, here) : here;
            // Before the first finite score there is nothing, which weighs nothing.
            T const by = now == -std::numeric_limits<T>::infinity() ? T(0) : now;
            T const added = exponentials(row, x.terms, by);
            if (!to.add) {
                sum = added;
            } else {
                T const scale = largest == now ? T(1) : weight(T(largest - by));
                if (scale != T(1)) multiply(to.c + i * to.row, n, scale);
                sum = sum * scale + added;
            }
            largest = now;
        }
    }

    // Scores of which all are masked: before the first others there is nothing.
    void leave_out(index_t first, index_t rows, index_t n, cells<T> const& to) {
        for (index_t i = 0; i < rows && !to.add; ++i) {
            std::fill(to.c + i * to.row, to.c + i * to.row + n, T(0));
            largest_[first + i] = -std::numeric_limits<T>::infinity(), sum_[first + i] = T(0);
        }
    }

    [[gnu::noinline]] void normalize(index_t first, index_t rows, index_t n,
                                     cells<T> const& to) const {
        for (index_t i = 0; i < rows; ++i) multiply(to.c + i * to.row, n, T(1) / sum_[first + i]);
    }

private:
    static FELT_INLINE auto weight(auto x) { return felt::detail::softmax_of_terms::weight(x); }

    // Their sum.
    static T exponentials(T* x, index_t n, T largest) {
        V const by(largest);
        V sum[2] = {V(T(0)), V(T(0))};
        index_t j = 0;
        for (; j + 2 * W <= n; j += 2 * W) {
            V const a = weight(V::load_unaligned(x + j) - by);
            V const b = weight(V::load_unaligned(x + j + W) - by);
            a.store_unaligned(x + j), b.store_unaligned(x + j + W);
            sum[0] = sum[0] + a, sum[1] = sum[1] + b;
        }
        T all = fold<W / 2, monoid::sum>(sum[0] + sum[1]);
        for (; j < n; ++j) all += x[j] = weight(T(x[j] - largest));
        return all;
    }
    static void multiply(T* x, index_t n, T by) {
        index_t j = 0;
        for (; j + W <= n; j += W) (V::load_unaligned(x + j) * V(by)).store_unaligned(x + j);
        for (; j < n; ++j) x[j] *= by;
    }

    T *largest_ = nullptr, *sum_ = nullptr;
    index_t capacity_ = 0;
};

}  // namespace felt::inline FELT_ABI::host
