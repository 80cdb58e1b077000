// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_exp2.hpp>

namespace math = felt::math;

namespace {

constexpr auto f_exp2 = [](auto x) { return math::exp2(x); };
constexpr auto f_expm1 = [](auto x) { return math::expm1(x); };
constexpr auto exact_exp2 = [](auto x) { return std::exp2(x); };
constexpr auto exact_expm1 = [](auto x) { return std::expm1(x); };

}  // namespace

TEST_CASE_TEMPLATE("exp2 and expm1 of a few numbers", T, float, double) {
    CHECK(test::alone(f_exp2, T(0)) == 1);
    CHECK(test::alone(f_exp2, T(10)) == 1024);
    CHECK(test::alone(f_exp2, T(-0.5)) == doctest::Approx(0.707106781));
    CHECK(test::alone(f_expm1, T(1)) == doctest::Approx(1.718281828));
    CHECK(test::alone(f_expm1, T(-1)) == doctest::Approx(-0.632120559));
    CHECK(test::alone(f_expm1, -std::numeric_limits<T>::infinity()) == -1);
}

TEST_CASE_TEMPLATE("exp2 and expm1 are within two units in the last place", T, float, double) {
    T const most = T(std::numeric_limits<T>::max_exponent);
    for (auto const& x : {test::uniform(T(-2), T(2)), test::uniform(-T(1.2) * most, most + T(1)),
                          test::magnitudes<T>(-100, 10), test::everywhere<T>()}) {
        CHECK(test::worst_of_both<T>(f_exp2, exact_exp2, x) < 1.5);
        CHECK(test::worst_of_both<T>(f_expm1, exact_expm1, x) < 1.5);
    }
}

TEST_CASE("powers of two are exact, subnormal ones too") {
    for (int n = -149; n < 128; ++n)
        CHECK(test::alone(f_exp2, static_cast<float>(n)) == std::ldexp(1.0f, n));
    for (int n = -1074; n < 1024; ++n)
        CHECK(test::alone(f_exp2, static_cast<double>(n)) == std::ldexp(1.0, n));
    CHECK(test::alone(f_exp2, 128.0f) == std::numeric_limits<float>::infinity());
    CHECK(test::alone(f_exp2, -151.0f) == 0);
}

TEST_CASE_TEMPLATE("expm1 of the smallest numbers is that number", T, float, double) {
    T const least = std::numeric_limits<T>::denorm_min();
    for (T x : {T(0), T(-0.0), least, -least, T(12345) * least})
        CHECK(test::same(test::alone(f_expm1, x), x));
}
