// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_two.hpp>

namespace math = felt::math;

TEST_CASE_TEMPLATE("sums and products of two numbers are exact", T, float, double) {
    using B = xsimd::batch<T>;
    using W = test::wide<T>;
    auto const x = test::magnitudes<T>(-6, 6, 1000), y = test::uniform(T(-3), T(3), 1000);
    for (std::size_t i = 0; i < x.size(); ++i) {
        auto const sum = math::two_sum_of_any(B(x[i]), B(y[i]));
        auto const product = math::two_product(B(x[i]), B(y[i]));
        CHECK(sum.high.get(0) == x[i] + y[i]);
        CHECK(W(sum.high.get(0)) + W(sum.low.get(0)) == W(x[i]) + W(y[i]));
        W const rest = std::fma(W(x[i]), W(y[i]), -W(product.high.get(0)));
        CHECK(W(product.low.get(0)) == rest);
    }
}

TEST_CASE_TEMPLATE("a sum of the larger and the smaller", T, float, double) {
    using B = xsimd::batch<T>;
    T const small = std::numeric_limits<T>::epsilon() / 4;
    auto const sum = math::two_sum(B(T(1)), B(small));
    CHECK(sum.high.get(0) == 1);
    CHECK(sum.low.get(0) == small);
    auto const chosen = math::select(B(T(1)) > B(T(2)), sum, math::two<B>{B(T(5)), B(T(6))});
    CHECK(chosen.high.get(0) == 5);
    CHECK(chosen.low.get(0) == 6);
}

TEST_CASE_TEMPLATE("the upper half of a number has half of the bits", T, float, double) {
    using B = xsimd::batch<T>;
    T const x = T(1) / T(3);
    auto const [high, low] = math::halves(B(x));
    CHECK(high.get(0) + low.get(0) == x);
    auto const rounded = math::halves<true>(B(x)).low.get(0);
    T const products[][2] = {{high.get(0), high.get(0)}, {low.get(0), rounded}};
    for (auto [a, b] : products) CHECK(test::wide<T>(a * b) == test::wide<T>(a) * test::wide<T>(b));
}
