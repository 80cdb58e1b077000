// SPDX-License-Identifier: BSD-3-Clause
//
// Values that stay the same along loops, against a plain loop, and how often they are computed.
#include "tests/support/plain.hpp"
#include <atomic>
#include <cmath>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <limits>

using felt::index_t;
using matrix = felt::Tensor<float, 2>;

namespace {

std::atomic<index_t> calls{0};

// The square root, of numbers, which counts its calls.
struct counted_root {
    static constexpr int cost = 12;
    float operator()(float x) const {
        ++calls;
        return std::sqrt(x);
    }
};

template <class Layout>
void check(index_t m, index_t n) {
    using tensor = felt::Tensor<float, 2, felt::Host, Layout>;
    CAPTURE(m);
    CAPTURE(n);
    tensor x({m, n}), y({m, n});
    x = felt::normal<float>(x.extents(), 1);
    matrix row({1, n}), column({m, 1});
    row = felt::uniform<float>(row.extents(), 2);
    column = felt::uniform<float>(column.extents(), 3);
    y = x * sqrt(row) + x * exp(column);
    index_t wrong = 0;
    for (index_t i = 0; i < m; ++i) {
        for (index_t j = 0; j < n; ++j) {
            double const e =
                x(i, j) * (std::sqrt(double(row(0, j))) + std::exp(double(column(i, 0))));
            wrong += !(std::abs(y(i, j) - e) <= 1e-5 * (1 + std::abs(e)));
        }
    }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("kept values are those of a plain loop") {
    for (auto [m, n] : {std::pair<index_t, index_t>{0, 5},
                        {5, 0},
                        {1, 1},
                        {1, 40},
                        {40, 1},
                        {17, 33},
                        {64, 15},
                        {65, 16},
                        {211, 1009},
                        {1009, 211}}) {
        check<felt::RowMajor>(m, n);
        check<felt::ColMajor>(m, n);
    }
}

TEST_CASE("a function of a row is computed for the row, not for each element") {
    index_t const m = 400, n = 300;
    matrix x({m, n}), y({m, n}), row({1, n});
    x = 2.f;
    row = 9.f;
    for (int threads : {1, 2}) {
        felt::threads(threads);
        calls = 0;
        y = x * felt::map(counted_root{}, row);
        CHECK(calls <= m * n / 20);
        CHECK(bool(felt::all(y == 6.f)));
    }
    felt::threads(1);
}

TEST_CASE("below reductions and products too") {
    matrix x({33, 70}), row({1, 70}), w({70, 9}), y({33, 9}), z({33, 9}), scaled({33, 70});
    x = felt::normal<float>(x.extents(), 1);
    row = felt::uniform<float>(row.extents(), 2) + 1.f;
    w = felt::normal<float>(w.extents(), 3);
    scaled = x / sqrt(row);
    felt::Tensor<float, 1> const sums = felt::sum<1>(x / sqrt(row)), own = felt::sum<1>(scaled);
    CHECK(felt::all_close(sums, own, 1e-5, 1e-5));
    y = matmul(x / sqrt(row), w);
    z = matmul(scaled, w);
    CHECK(felt::all_close(y, z, 1e-4, 1e-4));
}

TEST_CASE("kept values follow what they are made of from block to block") {
    felt::Tensor<float, 3> x({5, 130, 40}), y({5, 130, 40});
    x = felt::normal<float>(x.extents(), 4);
    y = x / sqrt(felt::mean<1>(x * x, felt::keepdims) + 1e-3f);
    index_t wrong = 0;
    for (index_t b = 0; b < 5; ++b) {
        for (index_t j = 0; j < 40; ++j) {
            double sum = 0;
            for (index_t i = 0; i < 130; ++i) sum += double(x(b, i, j)) * x(b, i, j);
            double const by = std::sqrt(sum / 130 + 1e-3);
            for (index_t i = 0; i < 130; ++i)
                wrong += std::abs(y(b, i, j) - x(b, i, j) / by) > 1e-4;
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("not a number and infinity are kept as they are") {
    matrix x({50, 60}), y({50, 60}), row({1, 60});
    x = 1.f;
    row = 1.f;
    row(0, 3) = std::numeric_limits<float>::quiet_NaN();
    row(0, 5) = std::numeric_limits<float>::infinity();
    y = x * exp(row);
    index_t wrong = 0;
    for (index_t i = 0; i < 50; ++i) {
        wrong += !std::isnan(y(i, 3)) || !std::isinf(y(i, 5)) || std::isnan(y(i, 4));
    }
    CHECK(wrong == 0);
}
