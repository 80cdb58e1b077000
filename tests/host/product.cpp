// SPDX-License-Identifier: BSD-3-Clause
//
// The ways a product can take: packed, few rows streamed, right operand in place, edges.
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::Tensor;

static double worst(index_t m, index_t n, index_t k) {
    Tensor<float, 2> a({m, k}), b({k, n}), c({m, n});
    a = felt::uniform<float>({m, k}, 1);
    b = felt::uniform<float>({k, n}, 2);
    c = felt::matmul(a, b);
    double error = 0;
    for (index_t i = 0; i < m; ++i) {
        for (index_t j = 0; j < n; ++j) {
            double sum = 0;
            for (index_t p = 0; p < k; ++p) sum += static_cast<double>(a(i, p)) * b(p, j);
            error = std::max(error, std::abs(sum - c(i, j)));
        }
    }
    return error;
}

TEST_CASE("few rows stream the right operand, also past whole strips") {
    for (index_t m : {1, 2, 3}) {
        for (index_t n : {15, 16, 17, 31, 32, 33, 64, 95, 100, 1024}) CHECK(worst(m, n, 77) < 1e-4);
    }
}

TEST_CASE("a few strips of rows read the right operand in place") {
    for (index_t m : {13, 14, 15, 28}) CHECK(worst(m, 100, 300) < 1e-3);
}

TEST_CASE("more rows take several chunks, over several pieces of the shared axis") {
    for (index_t m : {29, 169}) CHECK(worst(m, 97, 521) < 1e-3);
    CHECK(worst(40, 800, 20) < 1e-4);
}

TEST_CASE("products in scratch of any number of columns, dense or padded, in batches and pieces") {
    for (index_t n : {1, 2, 3, 5, 15, 16, 17, 31, 33}) {
        for (index_t k : {4, 700}) {
            Tensor<float, 3> a({6, 23, k}), b({6, k, n});
            a = felt::uniform<float>(a.extents(), 3);
            b = felt::uniform<float>(b.extents(), 4);
            auto const product = matmul(a, b);
            Tensor<float, 2> const most = felt::max<0>(product * 2.f);
            Tensor<float, 2> const sums = felt::sum<1>(abs(product - 7.f));
            Tensor<double, 2> expected_most({23, n}), expected_sums({6, n});
            expected_most = 0.;
            expected_sums = 0.;
            for (index_t i = 0; i < 6 * 23 * n; ++i) {
                index_t const g = i / n / 23, r = i / n % 23, c = i % n;
                double x = 0;
                for (index_t p = 0; p < k; ++p) x += static_cast<double>(a(g, r, p)) * b(g, p, c);
                expected_most(r, c) = std::max(expected_most(r, c), 2 * x);
                expected_sums(g, c) += std::abs(x - 7);
            }
            for (index_t i = 0; i < most.size(); ++i)
                CHECK(most.data()[i] == doctest::Approx(expected_most.data()[i]).epsilon(1e-4));
            for (index_t i = 0; i < sums.size(); ++i)
                CHECK(sums.data()[i] == doctest::Approx(expected_sums.data()[i]).epsilon(1e-4));
        }
    }
}
