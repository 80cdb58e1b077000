// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_erf.hpp>

namespace math = felt::math;

namespace {

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T nan = std::numeric_limits<T>::quiet_NaN();

constexpr auto erf = [](auto x) { return math::erf(x); };
constexpr auto gelu = [](auto x) { return math::gelu(x); };

// The error of gelu as a part of x.
template <class T>
double gelu_error(T x) {
    using W = test::wide<T>;
    W const exact = W(x) * std::erfc(-W(x) * std::sqrt(W(0.5))) / 2;
    return static_cast<double>(std::abs((W(test::alone(gelu, x)) - exact) / W(x)));
}

}  // namespace

TEST_CASE_TEMPLATE("erf and gelu of a few numbers", T, float, double) {
    CHECK(test::alone(erf, T(0)) == 0);
    CHECK(test::alone(erf, T(0.5)) == doctest::Approx(0.520499878).epsilon(1e-7));
    CHECK(test::alone(erf, T(-1.5)) == doctest::Approx(-0.966105146).epsilon(1e-7));
    CHECK(test::alone(gelu, T(0)) == 0);
    CHECK(test::alone(gelu, T(1)) == doctest::Approx(0.841344746).epsilon(1e-7));
    CHECK(test::alone(gelu, T(-1)) == doctest::Approx(-0.158655254).epsilon(1e-6));
    CHECK(math::gelu(T(-1)) == doctest::Approx(-0.158655254).epsilon(1e-6));
}

TEST_CASE_TEMPLATE("erf and gelu far out", T, float, double) {
    CHECK(test::alone(erf, T(7)) == 1);
    CHECK(test::alone(erf, -infinity<T>) == -1);
    CHECK(std::signbit(test::alone(erf, T(-0.0))));
    CHECK(std::isnan(test::alone(erf, nan<T>)));
    CHECK(test::alone(gelu, infinity<T>) == infinity<T>);
    CHECK(test::alone(gelu, -infinity<T>) == 0);
    CHECK(math::gelu(-infinity<T>) == 0);
    CHECK(test::alone(gelu, T(50)) == 50);
    CHECK(std::isnan(test::alone(gelu, nan<T>)));
    CHECK(std::isnan(math::gelu(nan<T>)));
}

TEST_CASE("erf of doubles is within two units in the last place") {
    auto const exact = [](test::wide<double> x) { return std::erf(x); };
    CHECK(test::worst<double>(erf, exact, test::uniform(-7.0, 7.0)) < 2);
    CHECK(test::worst<double>(erf, exact, test::uniform(-1.2, 1.2)) < 2);
    CHECK(test::worst<double>(erf, exact, test::magnitudes<double>(-1000, 3)) < 2);
}

TEST_CASE_TEMPLATE("gelu is right to a few roundings of x", T, float, double) {
    double most = 0;
    for (T x : test::uniform(T(-9), T(9))) most = std::fmax(most, gelu_error(x));
    CHECK(most < 2 * std::numeric_limits<T>::epsilon());
}
