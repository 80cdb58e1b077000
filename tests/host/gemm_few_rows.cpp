// SPDX-License-Identifier: BSD-3-Clause
//
// Products of a few rows, whose right operand is read once: where it lies, of elements that are
// converted, or as it is computed; against plain loops in double precision.
#include <cmath>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::bfloat16;
using felt::index_t;
using felt::Tensor;

namespace {

Tensor<float, 2> drawn(index_t m, index_t n, unsigned seed) {
    Tensor<float, 2> x({m, n});
    x = felt::cast<float>(Tensor<bfloat16, 2>(felt::normal<float>(x.extents(), seed)));
    return x;
}

// In double precision, row by row.
template <class F>
std::vector<double> in_double(Tensor<float, 2> const& x, F f) {
    std::vector<double> out;
    for (index_t i = 0; i < x.extent(0); ++i) {
        for (index_t j = 0; j < x.extent(1); ++j) out.push_back(f(double(x(i, j))));
    }
    return out;
}

// Whether y = before + a f(b), to what sums of so many terms round.
template <class F>
bool is_product(Tensor<float, 2> const& y, Tensor<float, 2> const& a, Tensor<float, 2> const& b,
                F f, double before = 0) {
    std::vector<double> const left = in_double(a, [](double x) { return x; }),
                              right = in_double(b, f);
    auto const terms = static_cast<std::size_t>(a.extent(1)),
               n = static_cast<std::size_t>(y.extent(1));
    double const most = 1e-5 * (10 + std::sqrt(double(terms)));
    std::vector<double> sums;
    for (index_t i = 0; i < y.extent(0); ++i) {
        sums.assign(n, before);
        double const* const row = left.data() + static_cast<std::size_t>(i) * terms;
        for (std::size_t k = 0; k < terms; ++k) {
            for (std::size_t j = 0; j < n; ++j) sums[j] += row[k] * right[k * n + j];
        }
        for (std::size_t j = 0; j < n; ++j) {
            if (!(std::abs(y(i, static_cast<index_t>(j)) - sums[j]) <= most)) return false;
        }
    }
    return true;
}
double same(double x) { return x; }
double tanh_of(double x) { return std::tanh(x); }

}  // namespace

TEST_CASE("rows and columns of any length, in memory, converted and computed") {
    for (index_t m : {1, 2, 3, 15}) {
        for (index_t n : {1, 15, 16, 17, 530, 1030}) {
            for (index_t k : {1, 7, 8, 65, 1029}) {
                CAPTURE(m);
                CAPTURE(n);
                CAPTURE(k);
                auto const a = drawn(m, k, 1), b = drawn(k, n, 2);
                Tensor<float, 2> const bt = transpose(b);
                Tensor<bfloat16, 2> const ah = a, bh = b, bth = bt;
                Tensor<float, 2> y({m, n});
                y = matmul(a, b);
                CHECK(is_product(y, a, b, same));
                y = matmul(a, transpose(bt));
                CHECK(is_product(y, a, b, same));
                y = matmul(ah, bh);
                CHECK(is_product(y, a, b, same));
                y = matmul(ah, transpose(bth)) + 1.F;
                CHECK(is_product(y, a, b, same, 1));
                y = matmul(a, tanh(b)) + 1.F;
                CHECK(is_product(y, a, b, tanh_of, 1));
                y = matmul(a, transpose(tanh(bt)));
                CHECK(is_product(y, a, b, tanh_of));
            }
        }
    }
}

TEST_CASE("sums that are added to others, over pieces of the terms") {
    auto const a = drawn(1, 9000, 1), b = drawn(9000, 40, 2);
    Tensor<bfloat16, 2> const bh = b;
    Tensor<float, 2> y({1, 40}), z({1, 40});
    y = matmul(a, tanh(b));
    CHECK(is_product(y, a, b, tanh_of));
    y = matmul(Tensor<bfloat16, 2>(a), bh);
    CHECK(is_product(y, a, b, same));
    z = felt::matmul(felt::relu(a), felt::relu(b)) + matmul(a, tanh(b));
    Tensor<float, 2> const first = matmul(felt::relu(a), felt::relu(b));
    Tensor<float, 2> const second = matmul(a, tanh(b));
    CHECK(felt::all_close(z, first + second, 1e-4, 1e-3));
}

TEST_CASE("what is not finite stays so") {
    auto a = drawn(1, 40, 1), b = drawn(40, 50, 2);
    b(3, 4) = INFINITY, b(20, 10) = NAN;
    Tensor<bfloat16, 2> const ah = a, bh = b;
    Tensor<float, 2> y({1, 50});
    y = matmul(ah, bh);
    for (index_t j = 0; j < 50; ++j) CHECK(std::isfinite(y(0, j)) == (j != 4 && j != 10));
}
