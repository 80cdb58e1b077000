// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/host/transpose.hpp>

TEST_CASE_TEMPLATE("a square of lanes is transposed", T, float, double, int, std::int64_t,
                   std::uint32_t) {
    constexpr int W = felt::host::batch_size<T>;
    alignas(64) T x[W][W], y[W][W];
    xsimd::batch<T> rows[W];
    for (int i = 0; i < W; ++i) {
        for (int j = 0; j < W; ++j) x[i][j] = static_cast<T>(i * W + j);
        rows[i] = xsimd::batch<T>::load_aligned(x[i]);
    }
    felt::host::transpose<T, W>(rows);
    for (int i = 0; i < W; ++i) rows[i].store_aligned(y[i]);
    for (int i = 0; i < W; ++i) {
        for (int j = 0; j < W; ++j) CHECK(y[i][j] == x[j][i]);
    }
}
