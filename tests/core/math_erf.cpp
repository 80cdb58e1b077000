// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_erf.hpp>

namespace math = felt::math;

namespace {

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T a_nan = std::numeric_limits<T>::quiet_NaN();

constexpr auto f_erf = [](auto x) { return math::erf(x); };
constexpr auto f_gelu = [](auto x) { return math::gelu(x); };

// The error of gelu as a part of x.
template <class T>
double gelu_error(T x) {
    using W = test::wide<T>;
    W const exact = W(x) * std::erfc(-W(x) * std::sqrt(W(0.5))) / 2;
    return static_cast<double>(std::abs((W(test::alone(f_gelu, x)) - exact) / W(x)));
}

}  // namespace

TEST_CASE_TEMPLATE("erf and gelu of a few numbers", T, float, double) {
    CHECK(test::alone(f_erf, T(0)) == 0);
    CHECK(test::alone(f_erf, T(0.5)) == doctest::Approx(0.520499878).epsilon(1e-7));
    CHECK(test::alone(f_erf, T(-1.5)) == doctest::Approx(-0.966105146).epsilon(1e-7));
    CHECK(test::alone(f_gelu, T(0)) == 0);
    CHECK(test::alone(f_gelu, T(1)) == doctest::Approx(0.841344746).epsilon(1e-7));
    CHECK(test::alone(f_gelu, T(-1)) == doctest::Approx(-0.158655254).epsilon(1e-6));
    CHECK(math::gelu(T(-1)) == doctest::Approx(-0.158655254).epsilon(1e-6));
}

TEST_CASE_TEMPLATE("erf and gelu far out", T, float, double) {
    CHECK(test::alone(f_erf, T(7)) == 1);
    CHECK(test::alone(f_erf, -infinity<T>) == -1);
    CHECK(std::signbit(test::alone(f_erf, T(-0.0))));
    CHECK(std::isnan(test::alone(f_erf, a_nan<T>)));
    CHECK(test::alone(f_gelu, infinity<T>) == infinity<T>);
    CHECK(test::alone(f_gelu, -infinity<T>) == 0);
    CHECK(math::gelu(-infinity<T>) == 0);
    CHECK(test::alone(f_gelu, T(50)) == 50);
    CHECK(std::isnan(test::alone(f_gelu, a_nan<T>)));
    CHECK(std::isnan(math::gelu(a_nan<T>)));
}

TEST_CASE("erf of doubles is within two units in the last place") {
    auto const exact = [](test::wide<double> x) { return std::erf(x); };
    CHECK(test::worst<double>(f_erf, exact, test::uniform(-7.0, 7.0)) < 2);
    CHECK(test::worst<double>(f_erf, exact, test::uniform(-1.2, 1.2)) < 2);
    CHECK(test::worst<double>(f_erf, exact, test::magnitudes<double>(-1000, 3)) < 2);
}

TEST_CASE_TEMPLATE("gelu is right to a few roundings of x", T, float, double) {
    double most = 0;
    for (T x : test::uniform(T(-9), T(9))) most = std::fmax(most, gelu_error(x));
    CHECK(most < 2 * std::numeric_limits<T>::epsilon());
}
