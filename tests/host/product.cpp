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
        for (index_t n : {31, 32, 33, 64, 95, 1024}) CHECK(worst(m, n, 77) < 1e-4);
    }
}

TEST_CASE("a few strips of rows read the right operand in place") {
    for (index_t m : {13, 14, 15, 28}) CHECK(worst(m, 100, 300) < 1e-3);
}

TEST_CASE("more rows take several chunks, over several pieces of the shared axis") {
    for (index_t m : {29, 169}) CHECK(worst(m, 97, 521) < 1e-3);
    CHECK(worst(40, 800, 20) < 1e-4);
}
