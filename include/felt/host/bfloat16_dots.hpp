// SPDX-License-Identifier: BSD-3-Clause
//
// Products of factors that are bfloat16, by instructions that multiply and add two terms at a time:
// AVX512-BF16 has twice the multiplications of float. Products are exact, sums floats; numbers
// below 2^-126 count as 0.
//
// Packed operands are floats of which the lower half is 0. Two terms of each are put into one word:
// rows of pairs of the left one, and strips of nr columns of pairs of the right one.
#pragma once
#include <felt/host/gemm_packing.hpp>
#include <felt/host/macro_kernel.hpp>
#include <bit>
#include <cstdint>

namespace felt::host {

template <class T>
inline constexpr bool has_bfloat16_dots = FELT_BFLOAT16_DOTS && std::is_same_v<T, float>;

// Two terms, the first in the lower half.
using term_pair = std::uint32_t;

namespace detail {

// c[i, j] (+)= sum_k a[i, k] b[k, j] for R rows of a and NV vectors of columns, k pairs of terms.
template <int R, int NV>
void dot_kernel(index_t k, term_pair const* a, index_t a_row, term_pair const* b, float* c,
                index_t c_row, bool accumulate) {
    using V = xsimd::batch<float>;
    using P = xsimd::batch<std::int32_t>;
    constexpr int W = tile<float>::width;
    V acc[R][NV];
    FELT_UNROLL_HOST
    for (int i = 0; i < R; ++i) {
        FELT_UNROLL_HOST
        for (int v = 0; v < NV; ++v) acc[i][v] = V(0.F);
    }
    for (int i = 0; i < R; ++i) {
        for (int v = 0; v < NV; ++v) __builtin_prefetch(c + i * c_row + v * W, 1);
    }
    for (index_t p = 0; p < k; ++p, b += tile<float>::nr) {
        P bv[NV];
        FELT_UNROLL_HOST
        for (int v = 0; v < NV; ++v)
            bv[v] = P::load_unaligned(reinterpret_cast<std::int32_t const*>(b) + v * W);
        FELT_UNROLL_HOST
        for (int i = 0; i < R; ++i) {
            P const av(static_cast<std::int32_t>(a[i * a_row + p]));
            FELT_UNROLL_HOST
            for (int v = 0; v < NV; ++v)
                acc[i][v] = V(FELT_DOT_BFLOAT16(acc[i][v], __m512i(av), __m512i(bv[v])));
        }
        __builtin_prefetch(b + prefetched_rows * tile<float>::nr, 0, 2);
        __builtin_prefetch(b + prefetched_rows * tile<float>::nr + W, 0, 2);
    }
    FELT_UNROLL_HOST
    for (int i = 0; i < R; ++i) {
        FELT_UNROLL_HOST
        for (int v = 0; v < NV; ++v) {
            float* const to = c + i * c_row + v * W;
            V const total = accumulate ? acc[i][v] + V::load_unaligned(to) : acc[i][v];
            total.store_unaligned(to);
        }
    }
}

using dot_function = void (*)(index_t, term_pair const*, index_t, term_pair const*, float*, index_t,
                              bool);
template <int NV>
dot_function dot_kernel_for(int rows) {
    static constexpr auto table = []<int... I>(std::integer_sequence<int, I...>) {
        struct {
            dot_function f[sizeof...(I)];
        } const t{{&dot_kernel<I + 1, NV>...}};
        return t;
    }(std::make_integer_sequence<int, tile<float>::mr>{});
    return table.f[rows - 1];
}

}  // namespace detail

// Of two floats of which the lower half is 0.
inline term_pair paired(float first, float second) {
    return std::bit_cast<term_pair>(first) >> 16U | std::bit_cast<term_pair>(second);
}

// The operands of a product as pairs.
class term_pairs {
public:
    // The right operand over a box of labels, which stays until another box is asked for. Rows
    // along the columns of one label become pairs as they come; others are packed as floats first.
    void columns(row_source<float> const& b, box const& part, loop_view const& loops,
                 planning::contraction_axes const& axes, gemm_packing<float>& packing,
                 arena& scratch) {
        box const own = without(part, axes.m);
        if (right_.holds(own)) return;
        terms_ = count(part, axes.k);
        index_t const n = count(part, axes.n), strips = (n + nr - 1) / nr;
        index_t const size = strips * pairs() * nr;
        if (size > right_.capacity) {
            right_.data = scratch.take<term_pair>(size);
            right_.capacity = size;
        }
        bool const by_rows = axes.n.count == 1 && axes.k.count == 1 && loops.lane == axes.n[0];
        if (by_rows) pair_as_read(b, own, axes, scratch);
        else pair_packed(packing.right(b, part), strips);
        right_.hold(own);
    }

    // c (+)= a b for n columns of these.
    void multiply(index_t n, index_t terms, left_strips<float> const& left, cells<float> const& to,
                  arena& scratch) const {
        scratch_scope const scope(scratch);
        index_t rows = 0;
        for (row_strip const* s = left.strip; s != left.strip + left.strips; ++s) rows += s->height;
        index_t const row = pairs() + planning::row_padding;
        auto* a = scratch.take<term_pair>(rows * row);
        for (row_strip const* s = left.strip; s != left.strip + left.strips; ++s) {
            pair_rows(left, *s, terms, row, a);
            multiply_strip(n, a, row, {to.c + s->to, to.row, to.padded, to.add}, s->height);
            a += s->height * row;
        }
    }

private:
    using geometry = tile<float>;
    static constexpr int nr = geometry::nr;
    index_t pairs() const { return (terms_ + 1) / 2; }

    void pair_as_read(row_source<float> const& b, box const& own,
                      planning::contraction_axes const& axes, arena& scratch) {
        int const column = axes.n[0], term = axes.k[0];
        index_t const n = own.extent(column), wide = (n + nr - 1) / nr * nr;
        scratch_scope const scope(scratch);
        float* const room = scratch.take<float>(3 * wide);
        float* const none = room + 2 * wide;
        std::fill(none, none + wide, 0.F);
        b.prepare(own);
        index_t at[max_axes];
        std::copy(own.lo, own.lo + own.rank, at);
        auto const row = [&](index_t k, float* to) {
            if (k == own.hi[term]) return none;
            at[term] = k;
            float const* const p = b.line(at, own.lo[column], own.hi[column], to);
            if (p != to) std::copy(p, p + n, to);
            std::fill(to + n, to + wide, 0.F);
            return to;
        };
        term_pair* to = right_.data;
        for (index_t k = own.lo[term]; k < own.hi[term]; k += 2, to += nr) {
            float const *first = row(k, room), *second = row(k + 1, room + wide);
            for (index_t j = 0; j < wide; j += nr) {
                term_pair* const strip = to + j * pairs();
                for (int l = 0; l < nr; ++l) strip[l] = paired(first[j + l], second[j + l]);
            }
        }
    }
    void pair_packed(right_strips<float> const& from, index_t strips) {
        for (index_t s = 0; s < strips; ++s) {
            float const* row = from.data + s * from.pitch;
            term_pair* to = right_.data + s * pairs() * nr;
            for (index_t k = 0; k < terms_; k += 2, row += 2 * nr, to += nr) {
                bool const both = k + 1 < terms_;
                for (int j = 0; j < nr; ++j) to[j] = paired(row[j], both ? row[nr + j] : 0.F);
            }
        }
    }

    // Rows of one strip, packed or in scratch.
    static void pair_rows(left_strips<float> const& from, row_strip const& s, index_t terms,
                          index_t row, term_pair* to) {
        index_t const step = from.packed ? s.height : from.step;
        for (int i = 0; i < s.height; ++i, to += row) {
            float const* const a = from.data + s.offset + i * from.row;
            for (index_t k = 0; k + 1 < terms; k += 2)
                to[k / 2] = paired(a[k * step], a[(k + 1) * step]);
            if (terms % 2 != 0) to[terms / 2] = paired(a[(terms - 1) * step], 0.F);
        }
    }

    void multiply_strip(index_t n, term_pair const* a, index_t row, cells<float> const& to,
                        int h) const {
        for (index_t j = 0; j < n; j += nr) {
            float* const c = to.c + j;
            bool const half = n - j <= geometry::width;
            auto const kernel = half ? detail::dot_kernel_for<1>(h) : detail::dot_kernel_for<2>(h);
            term_pair const* const b = right_.data + j * pairs();
            if (to.padded || n - j >= (half ? geometry::width : nr)) {
                kernel(pairs(), a, row, b, c, to.row, to.add);
                continue;
            }
            auto const some = static_cast<int>(n - j);  // what sticks out goes through a tile
            alignas(64) float t[geometry::mr * nr];
            for (int i = 0; i < h && to.add; ++i)
                std::copy(c + i * to.row, c + i * to.row + some, t + i * nr);
            kernel(pairs(), a, row, b, t, nr, to.add);
            for (int i = 0; i < h; ++i) std::copy(t + i * nr, t + i * nr + some, c + i * to.row);
        }
    }

    packed_box<term_pair> right_;
    index_t terms_ = 0;  // of them
};

}  // namespace felt::host
