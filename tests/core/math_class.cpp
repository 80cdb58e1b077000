// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_class.hpp>
#include <cstdint>

namespace math = felt::math;

TEST_CASE_TEMPLATE("classes of numbers and of batches are the standard library's", T, float,
                   double) {
    using B = xsimd::batch<T>;
    auto const same = [](bool expected, bool number, auto lanes) {
        return number == expected && xsimd::all(lanes) == expected && xsimd::any(lanes) == expected;
    };
    for (T x : test::everywhere<T>(4000)) {
        CAPTURE(x);
        CHECK(same(std::isnan(x), math::isnan(x), math::isnan(B(x))));
        CHECK(same(std::isinf(x), math::isinf(x), math::isinf(B(x))));
        CHECK(same(std::isfinite(x), math::isfinite(x), math::isfinite(B(x))));
        CHECK(same(std::signbit(x), math::signbit(x), math::signbit(B(x))));
    }
}

TEST_CASE_TEMPLATE("integers are finite", T, std::int8_t, std::uint8_t, int, std::uint64_t) {
    using B = xsimd::batch<T>;
    T const x = std::numeric_limits<T>::lowest();
    CHECK_FALSE(math::isnan(x));
    CHECK_FALSE(math::isinf(x));
    CHECK(math::isfinite(x));
    CHECK(math::signbit(x) == std::is_signed_v<T>);
    CHECK_FALSE(xsimd::any(math::isnan(B(x))));
    CHECK_FALSE(xsimd::any(math::isinf(B(x))));
    CHECK(xsimd::all(math::isfinite(B(x))));
    CHECK(xsimd::all(math::signbit(B(x))) == std::is_signed_v<T>);
    CHECK(math::nan_to_num(x, T(1), T(2), T(3)) == x);
}

TEST_CASE_TEMPLATE("copysign and nextafter are the standard library's, bit for bit", T, float,
                   double) {
    auto const sign = [](auto x, auto y) { return math::copysign(x, y); };
    auto const next = [](auto x, auto y) { return math::nextafter(x, y); };
    auto x = test::everywhere<T>(4000), y = x;
    for (T v : test::special<T>())
        for (T w : test::special<T>()) x.push_back(v), y.push_back(w);
    for (std::size_t i = 0; i < x.size(); ++i) {
        T const v = x[i], w = i % 2 ? y[y.size() - 1 - i] : y[i];
        CAPTURE(v);
        CAPTURE(w);
        CHECK(test::same(test::alone(sign, v, w), std::copysign(v, w)));
        CHECK(test::same(test::alone(next, v, w), std::nextafter(v, w)));
        CHECK(test::same(math::copysign(v, w), std::copysign(v, w)));
        CHECK(test::same(math::nextafter(v, w), std::nextafter(v, w)));
    }
}

TEST_CASE_TEMPLATE("nan_to_num replaces three numbers", T, float, double) {
    T const infinity = std::numeric_limits<T>::infinity(),
            nan = std::numeric_limits<T>::quiet_NaN();
    auto const f = [](auto x) {
        using X = decltype(x);
        return math::nan_to_num(x, X(T(1)), X(T(2)), X(T(3)));
    };
    T const cases[][2] = {{nan, 1}, {infinity, 2}, {-infinity, 3}, {T(-7), T(-7)}};
    for (auto [x, y] : cases) {
        CHECK(f(x) == y);
        CHECK(test::alone(f, x) == y);
    }
}
