// SPDX-License-Identifier: BSD-3-Clause
//
// Products of factors that are narrower than the numbers they are computed with, by instructions
// that multiply and add all terms of a word: two of bfloat16 as float, four of int8 and uint8 as
// int32. Products and sums of bytes are exact (modulo 2^32); products of bfloat16 are exact and
// sums floats, where numbers below 2^-126 count as 0.
#pragma once
#include <felt/host/macro_kernel.hpp>
#include <bit>
#include <cstdint>
#include <cstring>

namespace felt::inline FELT_ABI::host {

using term_word = std::uint32_t;

// How terms that are computed with as T lie in words; the first is the lowest part of its word. Of
// an element of T they are the bits from `lowest_bit` on. An instruction for bytes wants one
// operand without a sign: a signed one gets an offset. Elements are so in memory, in what is packed
// at least.
template <class T>
struct word_terms {
    static constexpr bool available = false;
    static constexpr int count = 1;
    using term = T;
    using element = T;
};
template <>
struct word_terms<float> {
    static constexpr bool available = FELT_BFLOAT16_DOTS;
    static constexpr int count = 2;
    using term = std::uint16_t;
    using element = bfloat16;
    static constexpr unsigned lowest_bit = 16;
    static constexpr term offset_of_signed = 0;

    static auto dot(xsimd::batch<float> const& sum, xsimd::batch<std::int32_t> const& a,
                    xsimd::batch<std::int32_t> const& b) {
        return xsimd::batch<float>(FELT_DOT_BFLOAT16(sum, a, b));
    }
};
template <>
struct word_terms<std::int32_t> {
    static constexpr bool available = FELT_BYTE_DOTS;
    static constexpr int count = 4;
    using term = std::uint8_t;
    using element = std::int8_t;
    static constexpr unsigned lowest_bit = 0;
    static constexpr term offset_of_signed = 128;

    static auto dot(xsimd::batch<std::int32_t> const& sum, xsimd::batch<std::int32_t> const& a,
                    xsimd::batch<std::int32_t> const& b) {
        return xsimd::batch<std::int32_t>(FELT_DOT_BYTES(sum, a, b));
    }
};

// n elements as terms, with an offset.
template <class T, class U = typename word_terms<T>::term>
void narrow_terms(T const* __restrict from, index_t n, U offset, U* __restrict to) {
    for (index_t i = 0; i < n; ++i) {
        auto const bits = std::bit_cast<term_word>(from[i]) >> word_terms<T>::lowest_bit;
        to[i] = static_cast<U>(bits + offset);
    }
}

// A vector of words for each term of which there is a row of elements, of T or narrower.
template <class T, class S>
xsimd::batch<term_word> words_of_rows(S const* const* row, index_t first) {
    using how = word_terms<T>;
    using P = xsimd::batch<term_word>;
    constexpr int bits = 32 / how::count;
    P word(0U);
    FELT_UNROLL_HOST
    for (int i = 0; i < how::count; ++i) {
        T x[tile<T>::width];
        load_as<T>(row[i] + first).store_unaligned(x);
        P const wide = P::load_unaligned(reinterpret_cast<term_word const*>(x));
        P const term = (wide >> static_cast<int>(how::lowest_bit)) & P((1U << bits) - 1U);
        word = word | term << bits * i;
    }
    return word;
}

// The operands of a tile: words of rows of the left one, which may come in several runs, and of
// strips of columns of the right one, packed. The sums of each column begin at `start`.
template <class T>
struct word_tile {
    term_runs words;
    typename word_terms<T>::term const* a;
    index_t a_row;
    term_word const* b;
    T const* start;
};

namespace detail {

// c[i, j] (+)= start[j] + sum_k a[i, k] b[k, j] for R rows of a and NV vectors of columns. Swapped:
// it is the right operand that has no sign.
template <class T, bool Swapped, int R, int NV>
void dot_kernel(word_tile<T> const& t, T* c, index_t c_row, bool accumulate) {
    using how = word_terms<T>;
    using V = xsimd::batch<T>;
    using P = xsimd::batch<std::int32_t>;
    constexpr int W = tile<T>::width;
    V acc[R][NV];
    FELT_UNROLL_HOST
    for (int v = 0; v < NV; ++v) {
        FELT_UNROLL_HOST
        for (int i = 0; i < R; ++i) acc[i][v] = V::load_unaligned(t.start + v * W);
    }
    for (int i = 0; i < R; ++i) {
        for (int v = 0; v < NV; ++v) __builtin_prefetch(c + i * c_row + v * W, 1);
    }
    term_word const* b = t.b;
    for (index_t run = 0; run < t.words.count; ++run) {
        auto const* a = t.a + (t.words.a != nullptr ? t.words.a[run] : 0);
        for (index_t p = 0; p < t.words.length; ++p, b += tile<T>::nr, a += how::count) {
            P bv[NV];
            FELT_UNROLL_HOST
            for (int v = 0; v < NV; ++v)
                bv[v] = P::load_unaligned(reinterpret_cast<std::int32_t const*>(b) + v * W);
            FELT_UNROLL_HOST
            for (int i = 0; i < R; ++i) {
                std::int32_t word;
                std::memcpy(&word, a + i * t.a_row, sizeof(word));
                P const av(word);
                FELT_UNROLL_HOST
                for (int v = 0; v < NV; ++v)
                    acc[i][v] =
                        Swapped ? how::dot(acc[i][v], bv[v], av) : how::dot(acc[i][v], av, bv[v]);
            }
            __builtin_prefetch(b + prefetched_rows * tile<T>::nr, 0, 2);
            __builtin_prefetch(b + prefetched_rows * tile<T>::nr + W, 0, 2);
        }
    }
    FELT_UNROLL_HOST
    for (int i = 0; i < R; ++i) {
        FELT_UNROLL_HOST
        for (int v = 0; v < NV; ++v) {
            T* const to = c + i * c_row + v * W;
            V const total = accumulate ? acc[i][v] + V::load_unaligned(to) : acc[i][v];
            total.store_unaligned(to);
        }
    }
}

template <class T>
using dot_function = void (*)(word_tile<T> const&, T*, index_t, bool);
template <class T, bool Swapped, int NV>
dot_function<T> dot_kernel_for(int rows) {
    static constexpr auto table = []<int... I>(std::integer_sequence<int, I...>) {
        struct {
            dot_function<T> f[sizeof...(I)];
        } const t{{&dot_kernel<T, Swapped, I + 1, NV>...}};
        return t;
    }(std::make_integer_sequence<int, tile<T>::mr>{});
    return table.f[rows - 1];
}
template <class T>
dot_function<T> dot_kernel_for(int rows, bool narrow, bool swapped) {
    if constexpr (std::is_integral_v<T>) {
        if (swapped)
            return narrow ? dot_kernel_for<T, true, 1>(rows) : dot_kernel_for<T, true, 2>(rows);
    }
    return narrow ? dot_kernel_for<T, false, 1>(rows) : dot_kernel_for<T, false, 2>(rows);
}

}  // namespace detail

// Columns of the right operand in words: of a strip of nr columns first all of one run, and where
// the sums of the columns begin.
template <class T>
struct word_strips {
    term_word const* data;
    index_t pitch;
    T const* start;
    bool swapped;
};

// c (+)= a b for n columns; element (i, k) of a strip of a is at i * a_row + k.
template <class T>
void multiply_words(index_t n, term_runs const& words, left_strips<T> const& strips,
                    typename word_terms<T>::term const* a, word_strips<T> const& b,
                    cells<T> const& to) {
    auto const multiply = [&](row_strip const& s, index_t j, bool narrow, T* c, index_t c_row) {
        word_tile<T> const t{words, a + s.offset, strips.row, b.data + j / tile<T>::nr * b.pitch,
                             b.start + j};
        detail::dot_kernel_for<T>(s.height, narrow, b.swapped)(t, c, c_row, to.add);
    };
    for_each_tile(n, strips.strip, strips.strips, to, multiply);
}

}  // namespace felt::inline FELT_ABI::host
