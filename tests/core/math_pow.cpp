// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_pow.hpp>

namespace math = felt::math;

namespace {

constexpr auto power = [](auto x, auto y) { return math::pow(x, y); };

template <class T>
double power_error(T x, T y) {
    using W = test::wide<T>;
    return test::error(test::alone(power, x, y), std::pow(W(x), W(y)));
}

// The exponent that makes of x a result of the wanted logarithm.
template <class T>
double worst_power(std::vector<T> const& x, std::vector<T> const& logarithms) {
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        T const base = std::abs(x[i]);
        most = std::fmax(most, power_error(base, logarithms[i] / std::log(base)));
    }
    return most;
}

}  // namespace

TEST_CASE_TEMPLATE("pow of a few numbers", T, float, double) {
    CHECK(test::alone(power, T(2), T(10)) == 1024);
    CHECK(test::alone(power, T(3), T(-1)) == doctest::Approx(1.0 / 3));
    CHECK(test::alone(power, T(-2), T(3)) == -8);
    CHECK(test::alone(power, T(-2), T(4)) == 16);
    CHECK(test::alone(power, T(9), T(0.5)) == 3);
    CHECK(std::isnan(test::alone(power, T(-2), T(0.5))));
    CHECK(math::pow(T(2), T(10)) == 1024);
}

TEST_CASE_TEMPLATE("pow of special numbers is the standard library's", T, float, double) {
    using limits = std::numeric_limits<T>;
    std::vector<T> special{limits::infinity(), -limits::infinity(), limits::quiet_NaN(),
                           limits::max(), limits::denorm_min()};
    for (double v : {0.0, 1.0, 2.0, 0.5, 2.5, 3.0, 7.0, 1e4, 1e30, 1000001.0})
        special.insert(special.end(), {T(v), T(-v)});
    for (T x : special)
        for (T y : special) {
            T const z = test::alone(power, x, y), expected = std::pow(x, y);
            INFO(x, " ^ ", y, " = ", z);
            REQUIRE(std::isnan(z) == std::isnan(expected));
            if (std::isnan(z)) continue;
            CHECK(std::signbit(z) == std::signbit(expected));
            CHECK(test::error(z, test::wide<T>(expected)) < 2);
        }
}

TEST_CASE_TEMPLATE("pow is within two units in the last place, up to the ends of the range", T,
                   float, double) {
    T const limit = T(0.69) * T(std::numeric_limits<T>::max_exponent);
    auto const logarithms = test::uniform(-limit, limit);
    CHECK(worst_power(test::magnitudes<T>(-20, 20), logarithms) < 2);
    CHECK(worst_power(test::uniform(T(0.66), T(1.5)), logarithms) < 2);
    int const least = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
    int const most = std::numeric_limits<T>::max_exponent;
    CHECK(worst_power(test::magnitudes<T>(least + 2, most - 1), logarithms) < 2);
}

TEST_CASE("a power that is subnormal is rounded, not dropped") {
    CHECK(test::alone(power, 2.0f, -140.0f) == std::ldexp(1.0f, -140));
    CHECK(test::alone(power, 2.0, -1070.0) == std::ldexp(1.0, -1070));
    CHECK(test::alone(power, 2.0f, -200.0f) == 0);
}
