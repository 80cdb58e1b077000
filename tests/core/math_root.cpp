// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_root.hpp>

namespace math = felt::math;

namespace {

constexpr auto f_cbrt = [](auto x) { return math::cbrt(x); };
constexpr auto f_rsqrt = [](auto x) { return math::rsqrt(x); };
constexpr auto exact_cbrt = [](auto x) { return std::cbrt(x); };
constexpr auto exact_rsqrt = [](auto x) { return 1 / std::sqrt(x); };
constexpr auto f_hypot = [](auto x, auto y) { return math::hypot(x, y); };
constexpr auto exact_hypot = [](auto x, auto y) { return std::hypot(x, y); };

}  // namespace

TEST_CASE_TEMPLATE("roots of a few numbers", T, float, double) {
    for (int n = -40; n <= 40; ++n) CHECK(test::alone(f_cbrt, T(n * n * n)) == T(n));
    CHECK(test::alone(f_rsqrt, T(16)) == T(0.25));
    CHECK(test::alone(f_rsqrt, T(0)) == std::numeric_limits<T>::infinity());
    CHECK(test::alone(f_hypot, T(3), T(-4)) == 5);
    T const most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::denorm_min();
    CHECK(test::alone(f_hypot, most / 2, most / 2) < most);
    CHECK(test::alone(f_hypot, 3 * least, 4 * least) == 5 * least);
    CHECK(test::same(test::alone(f_cbrt, T(-0.0)), T(-0.0)));
}

TEST_CASE_TEMPLATE("cbrt, rsqrt and hypot are within two units in the last place", T, float,
                   double) {
    for (auto const& x :
         {test::uniform(T(-9), T(9)), test::magnitudes<T>(-100, 100), test::everywhere<T>()}) {
        CHECK(test::worst_of_both<T>(f_cbrt, exact_cbrt, x) < 1);
        CHECK(test::worst_of_both<T>(f_rsqrt, exact_rsqrt, x) < 1.6);
        std::vector<T> y(x.rbegin(), x.rend());
        CHECK(test::worst_of_both<T>(f_hypot, exact_hypot, x, y) < 1.5);
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] * T(1 + static_cast<int>(i % 7));
        CHECK(test::worst_of_both<T>(f_hypot, exact_hypot, x, y) < 1.5);
    }
}

TEST_CASE_TEMPLATE("hypot of an infinity is infinite, though the other is NaN", T, float, double) {
    for (T x : test::special<T>())
        for (T y : test::special<T>())
            CHECK(test::error(test::alone(f_hypot, x, y),
                              test::wide<T>(exact_hypot(test::wide<T>(x), test::wide<T>(y)))) <
                  1.5);
}
