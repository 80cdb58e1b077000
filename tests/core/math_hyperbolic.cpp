// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_hyperbolic.hpp>

namespace math = felt::math;

namespace {

constexpr auto f_sinh = [](auto x) { return math::sinh(x); };
constexpr auto f_cosh = [](auto x) { return math::cosh(x); };
constexpr auto f_asinh = [](auto x) { return math::asinh(x); };
constexpr auto f_acosh = [](auto x) { return math::acosh(x); };
constexpr auto f_atanh = [](auto x) { return math::atanh(x); };
constexpr auto exact_sinh = [](auto x) { return std::sinh(x); };
constexpr auto exact_cosh = [](auto x) { return std::cosh(x); };
constexpr auto exact_asinh = [](auto x) { return std::asinh(x); };
constexpr auto exact_acosh = [](auto x) { return std::acosh(x); };
constexpr auto exact_atanh = [](auto x) { return std::atanh(x); };

}  // namespace

TEST_CASE_TEMPLATE("hyperbolic functions of a few numbers", T, float, double) {
    CHECK(test::alone(f_sinh, T(-1)) == doctest::Approx(-1.175201194));
    CHECK(test::alone(f_cosh, T(1)) == doctest::Approx(1.543080635));
    CHECK(test::alone(f_asinh, T(-2)) == doctest::Approx(-1.443635475));
    CHECK(test::alone(f_acosh, T(2)) == doctest::Approx(1.316957897));
    CHECK(test::alone(f_atanh, T(0.5)) == doctest::Approx(0.549306144));
    CHECK(test::alone(f_cosh, T(0)) == 1);
    CHECK(test::alone(f_acosh, T(1)) == 0);
    CHECK(std::isnan(test::alone(f_acosh, T(0.5))));
    CHECK(std::isnan(test::alone(f_atanh, T(-1.5))));
    CHECK(test::alone(f_atanh, T(-1)) == -std::numeric_limits<T>::infinity());
}

TEST_CASE_TEMPLATE("hyperbolic functions are within two units in the last place", T, float,
                   double) {
    T const most = T(0.6932) * T(std::numeric_limits<T>::max_exponent);
    for (auto const& x : {test::uniform(T(-3), T(3)), test::uniform(-most, most + T(2)),
                          test::magnitudes<T>(-100, 10), test::everywhere<T>()}) {
        CHECK(test::worst_of_both<T>(f_sinh, exact_sinh, x) < 2);
        CHECK(test::worst_of_both<T>(f_cosh, exact_cosh, x) < 2);
    }
}

TEST_CASE_TEMPLATE("their inverses are within two units in the last place", T, float, double) {
    for (auto const& x : {test::uniform(T(-1), T(1)), test::uniform(T(-9), T(9)),
                          test::magnitudes<T>(-100, 100), test::everywhere<T>()}) {
        CHECK(test::worst_of_both<T>(f_asinh, exact_asinh, x) < 2);
        CHECK(test::worst_of_both<T>(f_acosh, exact_acosh, x) < 2);
        CHECK(test::worst_of_both<T>(f_atanh, exact_atanh, x) < 2);
    }
    auto beside_one = test::magnitudes<T>(-std::numeric_limits<T>::digits, 0);
    for (T& x : beside_one) x = T(1) + x;
    CHECK(test::worst_of_both<T>(f_acosh, exact_acosh, beside_one) < 2);
    CHECK(test::worst_of_both<T>(f_atanh, exact_atanh, beside_one) < 2);
}

TEST_CASE_TEMPLATE("the smallest numbers stay what they are", T, float, double) {
    T const least = std::numeric_limits<T>::denorm_min();
    for (T x : {T(0), T(-0.0), least, -least, T(12345) * least}) {
        CHECK(test::same(test::alone(f_sinh, x), x));
        CHECK(test::same(test::alone(f_asinh, x), x));
        CHECK(test::same(test::alone(f_atanh, x), x));
    }
}
