// SPDX-License-Identifier: BSD-3-Clause
//
// Right operands of products of words in all the ways that they can lie: rows or columns in memory,
// computed rows, and what is packed first. Of numbers with signs on both sides, where an offset is
// taken off every column's sum.
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <cstdint>

using felt::index_t;
using felt::Tensor;

namespace {

template <class T>
Tensor<T, 2> drawn(index_t m, index_t n, unsigned seed) {
    Tensor<T, 2> x({m, n});
    float const low = std::is_signed_v<T> ? -128.F : 0.F;
    x = felt::cast<T>(felt::floor(felt::uniform<float>(x.extents(), seed) * 255.99F) + low);
    return x;
}
auto wide(auto const& x) { return felt::cast<std::int32_t>(x); }

template <class A, class B>
bool is_product(Tensor<std::int32_t, 2> const& y, A const& a, B const& b) {
    bool same = true;
    for (index_t i = 0; i < y.extent(0); ++i) {
        for (index_t j = 0; j < y.extent(1); ++j) {
            std::int32_t sum = 0;
            for (index_t k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
            same = same && y(i, j) == sum;
        }
    }
    return same;
}

template <class A, class B>
void all_ways(index_t m, index_t n, index_t k) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    auto const a = drawn<A>(m, k, 1);
    auto const b = drawn<B>(k, n, 2);
    Tensor<B, 2> turned({n, k}), apart({2 * k, 2 * n});
    Tensor<B, 3> cut({n, 2, k});
    turned = transpose(b), apart = B(7), cut = B(9);
    felt::slice(apart, felt::range(0, 2 * k, 2), felt::range(0, 2 * n, 2)) = b;
    felt::slice(cut, felt::all(), 1, felt::all()) = turned;
    Tensor<std::int32_t, 2> y({m, n});
    y = matmul(wide(a), wide(b));
    CHECK(is_product(y, a, b));
    y = matmul(wide(a), wide(transpose(turned)));
    CHECK(is_product(y, a, b));
    y = matmul(wide(a), transpose(wide(felt::slice(cut, felt::all(), 1, felt::all()))));
    CHECK(is_product(y, a, b));
    y = matmul(wide(a),
               wide(felt::slice(apart, felt::range(0, 2 * k, 2), felt::range(0, 2 * n, 2))));
    CHECK(is_product(y, a, b));
    auto const padded = felt::pad(wide(b), {{0, 0}, {1, 1}});
    y = matmul(wide(a), felt::slice(padded, felt::all(), felt::range(1, n + 1)));
    CHECK(is_product(y, a, b));
    auto const turned_pad = felt::pad(wide(turned), {{0, 0}, {2, 1}});
    y = matmul(wide(a), transpose(felt::slice(turned_pad, felt::all(), felt::range(2, k + 2))));
    CHECK(is_product(y, a, b));
}

}  // namespace

TEST_CASE("rows, columns, computed and packed ones") {
    for (index_t n : {1, 16, 31, 32, 33, 70}) {
        for (index_t k : {1, 4, 63, 64, 65, 131}) {
            all_ways<std::int8_t, std::int8_t>(17, n, k);
            all_ways<std::uint8_t, std::int8_t>(3, n, k);
            all_ways<std::int8_t, std::uint8_t>(3, n, k);
        }
    }
}

TEST_CASE("batches have operands of their own, and boxes of one are others") {
    Tensor<std::uint8_t, 3> a({3, 20, 37});
    Tensor<std::int8_t, 3> b({3, 37, 45});
    a = felt::cast<std::uint8_t>(felt::uniform<float>(a.extents(), 1) * 255.F);
    b = felt::cast<std::int8_t>(felt::uniform<float>(b.extents(), 2) * 255.F - 128.F);
    Tensor<std::int32_t, 3> y({3, 20, 45});
    y = felt::matmul(wide(a), wide(b));
    for (index_t h = 0; h < 3; ++h) {
        Tensor<std::int32_t, 2> const part = felt::slice(y, h, felt::ellipsis);
        CHECK(is_product(part, eval(felt::slice(a, h, felt::ellipsis)),
                         eval(felt::slice(b, h, felt::ellipsis))));
    }
}
