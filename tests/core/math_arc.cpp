// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_arc.hpp>

namespace math = felt::math;

namespace {

constexpr auto f_asin = [](auto x) { return math::asin(x); };
constexpr auto f_acos = [](auto x) { return math::acos(x); };
constexpr auto f_atan = [](auto x) { return math::atan(x); };
constexpr auto f_atan2 = [](auto y, auto x) { return math::atan2(y, x); };
constexpr auto exact_asin = [](auto x) { return std::asin(x); };
constexpr auto exact_acos = [](auto x) { return std::acos(x); };
constexpr auto exact_atan = [](auto x) { return std::atan(x); };
constexpr auto exact_atan2 = [](auto y, auto x) { return std::atan2(y, x); };

}  // namespace

TEST_CASE_TEMPLATE("angles of a few numbers", T, float, double) {
    CHECK(test::alone(f_asin, T(0.5)) == doctest::Approx(0.523598776));
    CHECK(test::alone(f_acos, T(-1)) == doctest::Approx(3.141592654));
    CHECK(test::alone(f_acos, T(1)) == 0);
    CHECK(test::alone(f_atan, T(1)) == doctest::Approx(0.785398163));
    CHECK(test::alone(f_atan2, T(1), T(-1)) == doctest::Approx(2.356194490));
    CHECK(std::isnan(test::alone(f_asin, T(1.5))));
    CHECK(std::isnan(test::alone(f_acos, T(-1.5))));
}

TEST_CASE_TEMPLATE("asin, acos and atan are within a unit in the last place", T, float, double) {
    for (auto const& x : {test::uniform(T(-1), T(1)), test::uniform(T(-4), T(4)),
                          test::magnitudes<T>(-100, 10), test::everywhere<T>()}) {
        CHECK(test::worst_of_both<T>(f_asin, exact_asin, x) < 1);
        CHECK(test::worst_of_both<T>(f_acos, exact_acos, x) < 1);
        CHECK(test::worst_of_both<T>(f_atan, exact_atan, x) < 1);
    }
}

TEST_CASE_TEMPLATE("the smallest numbers are their angles, and zeros have signs", T, float,
                   double) {
    T const least = std::numeric_limits<T>::denorm_min();
    for (T x : {T(0), T(-0.0), least, -least, T(12345) * least}) {
        CHECK(test::same(test::alone(f_asin, x), x));
        CHECK(test::same(test::alone(f_atan, x), x));
    }
}

TEST_CASE_TEMPLATE("atan2 is within two units in the last place", T, float, double) {
    auto const y = test::magnitudes<T>(-50, 50), x = test::uniform(T(-9), T(9));
    CHECK(test::worst_of_both<T>(f_atan2, exact_atan2, y, x) < 2);
    CHECK(test::worst_of_both<T>(f_atan2, exact_atan2, x, y) < 2);
    auto const all = test::everywhere<T>();
    CHECK(test::worst_of_both<T>(f_atan2, exact_atan2, all, {all.rbegin(), all.rend()}) < 2);
}

TEST_CASE_TEMPLATE("atan2 of special numbers is the standard library's", T, float, double) {
    for (T y : test::special<T>())
        for (T x : test::special<T>()) {
            T const angle = test::alone(f_atan2, y, x), expected = std::atan2(y, x);
            INFO("atan2(", y, ", ", x, ") = ", angle);
            CHECK(std::isnan(angle) == std::isnan(expected));
            if (std::isnan(angle)) continue;
            CHECK(std::signbit(angle) == std::signbit(expected));
            CHECK(test::error(angle, test::wide<T>(expected)) < 2);
        }
}
