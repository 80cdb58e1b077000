// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_log.hpp>

namespace math = felt::math;

namespace {

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T a_nan = std::numeric_limits<T>::quiet_NaN();

constexpr auto f_log = [](auto x) { return math::log(x); };
constexpr auto f_log1p = [](auto x) { return math::log1p(x); };

}  // namespace

TEST_CASE_TEMPLATE("log and log1p of a few numbers", T, float, double) {
    CHECK(test::alone(f_log, T(1)) == 0);
    CHECK(test::alone(f_log, T(2)) == T(0.693147180559945309));
    CHECK(test::alone(f_log, T(0.1)) == doctest::Approx(-2.302585093).epsilon(1e-7));
    CHECK(test::alone(f_log1p, T(1)) == T(0.693147180559945309));
    CHECK(test::alone(f_log1p, T(-0.5)) == T(-0.693147180559945309));
    CHECK(test::alone(f_log1p, T(1e-30)) == T(1e-30));
}

TEST_CASE_TEMPLATE("the ends of the range of a logarithm", T, float, double) {
    CHECK(test::alone(f_log, T(0)) == -infinity<T>);
    CHECK(test::alone(f_log, T(-0.0)) == -infinity<T>);
    CHECK(test::alone(f_log, infinity<T>) == infinity<T>);
    CHECK(std::isnan(test::alone(f_log, T(-1))));
    CHECK(std::isnan(test::alone(f_log, -infinity<T>)));
    CHECK(std::isnan(test::alone(f_log, a_nan<T>)));
    CHECK(test::alone(f_log1p, T(-1)) == -infinity<T>);
    CHECK(test::alone(f_log1p, infinity<T>) == infinity<T>);
    CHECK(std::isnan(test::alone(f_log1p, T(-1.5))));
    CHECK(std::isnan(test::alone(f_log1p, a_nan<T>)));
    CHECK(std::signbit(test::alone(f_log1p, T(-0.0))));
    T const most = std::numeric_limits<T>::max();
    CHECK(test::alone(f_log1p, most) == std::log(most));
}

TEST_CASE_TEMPLATE("the logarithm of a subnormal number is as good as any", T, float, double) {
    T const least = std::numeric_limits<T>::denorm_min();
    CHECK(test::ulps(test::alone(f_log, least), std::log(test::wide<T>(least))) < 1);
    CHECK(test::ulps(test::alone(f_log, T(12345) * least),
                     std::log(test::wide<T>(T(12345) * least))) < 1);
}

TEST_CASE("log and log1p of doubles are within two units in the last place") {
    using test::wide, test::worst;
    auto const exact = [](wide<double> x) { return std::log(x); };
    auto positive = test::magnitudes<double>(-1074, 1023);
    for (auto& x : positive) x = std::abs(x);
    CHECK(worst<double>(f_log, exact, positive) < 1);
    CHECK(worst<double>(f_log, exact, test::uniform(0.5, 2.0)) < 1);

    auto const exact_log1p = [](wide<double> x) { return std::log1p(x); };
    CHECK(worst<double>(f_log1p, exact_log1p, positive) < 1.5);
    CHECK(worst<double>(f_log1p, exact_log1p, test::uniform(-1.0, 2.0)) < 1.5);
    CHECK(worst<double>(f_log1p, exact_log1p, test::magnitudes<double>(-1000, -1)) < 1.5);
}
