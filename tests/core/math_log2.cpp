// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_log2.hpp>

namespace math = felt::math;

namespace {

constexpr auto f_log2 = [](auto x) { return math::log2(x); };
constexpr auto f_log10 = [](auto x) { return math::log10(x); };
constexpr auto exact_log2 = [](auto x) { return std::log2(x); };
constexpr auto exact_log10 = [](auto x) { return std::log10(x); };

}  // namespace

TEST_CASE_TEMPLATE("log2 and log10 of powers are whole numbers", T, float, double) {
    using limits = std::numeric_limits<T>;
    for (int n = limits::min_exponent - limits::digits; n < limits::max_exponent; ++n)
        CHECK(test::alone(f_log2, std::ldexp(T(1), n)) == T(n));
    T power = 1;
    for (int n = 0; n < 11; ++n, power *= 10) CHECK(test::alone(f_log10, power) == T(n));
}

TEST_CASE_TEMPLATE("log2 and log10 are within two units in the last place", T, float, double) {
    auto near = test::magnitudes<T>(-std::numeric_limits<T>::digits, -1);
    for (T& x : near) x = T(1) + x;
    for (auto const& x : {near, test::uniform(T(0), T(3)), test::everywhere<T>()}) {
        CHECK(test::worst<T>(f_log2, exact_log2, x) < 1);
        CHECK(test::worst<T>(f_log10, exact_log10, x) < 1);
        CHECK(test::worst_of_both<T>(f_log2, exact_log2, x) < 2);
        CHECK(test::worst_of_both<T>(f_log10, exact_log10, x) < 2);
    }
}
