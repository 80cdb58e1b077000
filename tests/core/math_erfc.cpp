// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_erfc.hpp>

namespace math = felt::math;

namespace {

constexpr auto f_erfc = [](auto x) { return math::erfc(x); };
constexpr auto exact_erfc = [](auto x) { return std::erfc(x); };

}  // namespace

TEST_CASE_TEMPLATE("erfc of a few numbers, and of the ends", T, float, double) {
    CHECK(test::alone(f_erfc, T(0)) == 1);
    CHECK(test::alone(f_erfc, T(1)) == doctest::Approx(0.157299207));
    CHECK(test::alone(f_erfc, T(-1)) == doctest::Approx(1.842700793));
    CHECK(math::erfc(T(3)) == doctest::Approx(2.20904970e-5));
    CHECK(test::alone(f_erfc, T(28)) == 0);
    CHECK(test::alone(f_erfc, math::infinity<T>) == 0);
    CHECK(test::alone(f_erfc, -math::infinity<T>) == 2);
    CHECK(std::isnan(test::alone(f_erfc, std::numeric_limits<T>::quiet_NaN())));
}

TEST_CASE_TEMPLATE("erfc is within two units in the last place, however small", T, float, double) {
    T const most = sizeof(T) == 4 ? T(9.1) : T(26.5);
    for (auto const& x : {test::uniform(T(-1), T(1)), test::uniform(T(-6), most),
                          test::magnitudes<T>(-100, 2), test::everywhere<T>()})
        CHECK(test::worst<T>(f_erfc, exact_erfc, x) < 2);
}

TEST_CASE("numbers are within five units, those of float within one") {
    CHECK(test::worst_of_both<float>(f_erfc, exact_erfc, test::uniform(-6.f, 9.f)) < 2);
    CHECK(test::worst_of_both<double>(f_erfc, exact_erfc, test::uniform(-6., 26.)) < 5);
}

TEST_CASE("what is subnormal is rounded, not dropped") {
    CHECK(test::alone(f_erfc, 9.6f) == doctest::Approx(std::erfc(9.6)).epsilon(1e-3));
    CHECK(test::alone(f_erfc, 26.8) > 0);
}
