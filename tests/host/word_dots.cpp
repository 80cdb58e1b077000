// SPDX-License-Identifier: BSD-3-Clause
//
// Tiles of products by words against plain loops, where the processor has instructions for them.
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <cstdint>
#include <vector>

using felt::index_t;
namespace host = felt::host;

namespace {

template <class T>
std::vector<T> terms(index_t n, int factor, int low, int high) {
    std::vector<T> x;
    for (index_t i = 0; i < n; ++i)
        x.push_back(static_cast<T>(low + (i * factor) % (high - low + 1)));
    return x;
}

// Of m x k numbers of A and k x n of B, all products of which are exact in T.
template <class T, class A, class B>
void multiply(index_t m, index_t n, index_t k) {
    using how = host::word_terms<T>;
    using term = typename how::term;
    constexpr int nr = host::tile<T>::nr, mr = host::tile<T>::mr;
    bool const small = std::is_same_v<T, float>;
    bool const a_signed = std::is_same_v<A, std::int8_t>, b_signed = std::is_same_v<B, std::int8_t>;
    auto const a = terms<T>(m * k, 37, a_signed ? -128 : 0, small ? 127 : 255 - 128 * a_signed);
    auto const b = terms<T>(k * n, 59, b_signed ? -128 : 0, small ? 127 : 255 - 128 * b_signed);
    index_t const words = (k + how::count - 1) / how::count, row = words * how::count + 3;
    std::vector<term> left(static_cast<std::size_t>(m * row));
    for (index_t i = 0; i < m; ++i)
        host::narrow_terms(a.data() + i * k, k, term(0), left.data() + i * row);
    index_t const strips = (n + nr - 1) / nr;
    std::vector<T> rows(static_cast<std::size_t>(how::count * strips * nr)), c, start;
    std::vector<host::term_word> right(static_cast<std::size_t>(strips * words * nr));
    for (index_t w = 0; w < words; ++w) {
        T const* row_of[how::count];
        for (int i = 0; i < how::count; ++i) {
            T* const to = rows.data() + i * strips * nr;
            index_t const term_at = w * how::count + i;
            for (index_t j = 0; j < n; ++j)
                to[j] = term_at < k ? b[static_cast<std::size_t>(term_at * n + j)] : T(0);
            row_of[i] = to;
        }
        for (index_t j = 0; j < strips * nr; j += host::tile<T>::width)
            host::words_of_rows<T>(row_of, j).store_unaligned(right.data() + j / nr * words * nr +
                                                              w * nr + j % nr);
    }
    start.assign(static_cast<std::size_t>(strips * nr), T(5));
    c.assign(static_cast<std::size_t>(m * n), T(1));
    std::vector<host::row_strip> strip;
    for (index_t i = 0; i < m; i += mr)
        strip.push_back({i * row, i * n, static_cast<int>(std::min<index_t>(mr, m - i))});
    host::left_strips<T> const in{nullptr, strip.data(), static_cast<index_t>(strip.size()),
                                  row,     false,        1};
    host::multiply_words<T>(n, {words}, in, left.data(),
                            {right.data(), words * nr, start.data(), a_signed},
                            {c.data(), n, false, true});
    bool same = true;
    for (index_t i = 0; i < m; ++i) {
        for (index_t j = 0; j < n; ++j) {
            T sum = 6;
            for (index_t p = 0; p < k; ++p)
                sum +=
                    a[static_cast<std::size_t>(i * k + p)] * b[static_cast<std::size_t>(p * n + j)];
            same = same && c[static_cast<std::size_t>(i * n + j)] == sum;
        }
    }
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    CHECK(same);
}

template <class T, class A, class B>
void multiply_all() {
    if constexpr (host::word_terms<T>::available) {
        for (index_t m = 1; m <= 15; ++m)
            for (index_t n : {1, 15, 16, 17, 31, 32, 33, 70})
                for (index_t k : {1, 2, 3, 4, 5, 31, 64}) multiply<T, A, B>(m, n, k);
    }
}

}  // namespace

TEST_CASE("tiles of words of bytes, of which either side has a sign") {
    multiply_all<std::int32_t, std::uint8_t, std::int8_t>();
    multiply_all<std::int32_t, std::int8_t, std::uint8_t>();
}

TEST_CASE("tiles of words of bfloat16") { multiply_all<float, felt::bfloat16, felt::bfloat16>(); }

TEST_CASE("the first term is the lowest of its word, of elements of either type") {
    if constexpr (host::word_terms<std::int32_t>::available) {
        constexpr int W = host::tile<std::int32_t>::width;
        std::int32_t wide[4][W];
        std::int8_t narrow[4][W];
        std::int32_t const* a[4];
        std::int8_t const* b[4];
        for (int i = 0; i < 4; ++i) {
            for (int l = 0; l < W; ++l) {
                narrow[i][l] = static_cast<std::int8_t>(i * 40 - 2 * l);
                wide[i][l] = narrow[i][l];
            }
            a[i] = wide[i], b[i] = narrow[i];
        }
        host::term_word x[W], y[W];
        host::words_of_rows<std::int32_t>(a, 0).store_unaligned(x);
        host::words_of_rows<std::int32_t>(b, 0).store_unaligned(y);
        for (int l = 0; l < W; ++l) {
            CHECK(x[l] == y[l]);
            for (int i = 0; i < 4; ++i)
                CHECK(static_cast<std::int8_t>(x[l] >> (8 * i)) == narrow[i][l]);
        }
    }
}
