// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_remainder.hpp>
#include <cstdint>

namespace math = felt::math;

namespace {

constexpr auto f_fmod = [](auto x, auto y) { return math::fmod(x, y); };
constexpr auto f_remainder = [](auto x, auto y) { return math::remainder(x, y); };
constexpr auto f_floor_divide = [](auto x, auto y) { return math::floor_divide(x, y); };

// Python's x % y and x // y, as NumPy has them.
template <class T>
T plain_remainder(T x, T y) {
    T const m = std::fmod(x, y);
    if (m == 0) return std::copysign(T(0), y);
    return (m < 0) != (y < 0) ? m + y : m;
}

}  // namespace

TEST_CASE("the three signs of a remainder") {
    CHECK(math::fmod(-7, 3) == -1);
    CHECK(math::fmod(7, -3) == 1);
    CHECK(math::remainder(-7, 3) == 2);
    CHECK(math::remainder(7, -3) == -2);
    CHECK(math::floor_divide(-7, 3) == -3);
    CHECK(math::floor_divide(7, -3) == -3);
    CHECK(math::floor_divide(-6, 3) == -2);
    CHECK(math::fmod(-7.5, 2.0) == -1.5);
    CHECK(math::remainder(-7.5, 2.0) == 0.5);
    CHECK(math::floor_divide(-7.5, 2.0) == -4);
    CHECK(math::floor_divide(1.0, 0.1) == 9);
}

TEST_CASE("integers by zero give zero, and the least number by minus one wraps") {
    constexpr int least = std::numeric_limits<int>::min();
    for (auto f : {+[](int x, int y) { return math::fmod(x, y); },
                   +[](int x, int y) { return math::remainder(x, y); }}) {
        CHECK(f(7, 0) == 0);
        CHECK(f(least, -1) == 0);
    }
    CHECK(math::floor_divide(7, 0) == 0);
    CHECK(math::floor_divide(-7, 0) == 0);
    CHECK(math::floor_divide(least, -1) == least);
    CHECK(math::floor_divide(least, 1) == least);
}

TEST_CASE_TEMPLATE("quotient and remainder give back the number, in numbers and batches", T,
                   std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                   std::uint32_t) {
    using limits = std::numeric_limits<T>;
    std::vector<T> samples{limits::max(), T(limits::max() - 1), limits::min(),
                           T(limits::min() + 1)};
    for (int i = -9; i < 20; ++i) samples.push_back(static_cast<T>(i));
    for (T x : samples)
        for (T y : samples) {
            CAPTURE(+x);
            CAPTURE(+y);
            T const m = math::fmod(x, y), r = math::remainder(x, y), q = math::floor_divide(x, y);
            CHECK(test::alone(f_fmod, x, y) == m);
            CHECK(test::alone(f_remainder, x, y) == r);
            CHECK(test::alone(f_floor_divide, x, y) == q);
            using U = std::uint64_t;
            if (y == 0) continue;
            CHECK(static_cast<T>(U(math::divide(x, y)) * U(y) + U(m)) == x);
            CHECK(static_cast<T>(U(q) * U(y) + U(r)) == x);
            CHECK((r == 0 || (r < 0) == (y < 0)));
            CHECK((m == 0 || (m < 0) == (x < 0)));
        }
}

TEST_CASE_TEMPLATE("remainders of floating numbers are exact", T, float, double) {
    auto const check = [](std::vector<T> const& x, std::vector<T> const& y) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            CAPTURE(x[i]);
            CAPTURE(y[i]);
            CHECK(test::same(test::alone(f_fmod, x[i], y[i]), std::fmod(x[i], y[i])));
            T const r = plain_remainder(x[i], y[i]);
            CHECK(test::same(test::alone(f_remainder, x[i], y[i]), r));
            CHECK(test::same(math::remainder(x[i], y[i]), r));
        }
    };
    auto const x = test::magnitudes<T>(-10, 30, 6000), all = test::everywhere<T>(6000);
    check(x, {x.rbegin(), x.rend()});
    check(x, test::uniform(T(-3), T(3), 6000));
    check(all, {all.rbegin(), all.rend()});
    std::vector<T> multiples(x);
    for (std::size_t i = 0; i < x.size(); ++i)
        multiples[i] = std::nextafter(x[i] * T(1 + i % 50), i % 3 ? T(0) : T(1e30));
    check(multiples, x);
    std::vector<T> first, second;
    for (T v : test::special<T>())
        for (T w : test::special<T>()) first.push_back(v), second.push_back(w);
    check(first, second);
}

TEST_CASE_TEMPLATE("floor_divide is the floor of the exact quotient", T, float, double) {
    using W = test::wide<T>;
    auto const x = test::magnitudes<T>(-4, 9, 6000), y = test::uniform(T(-3), T(3), 6000);
    for (std::size_t i = 0; i < x.size(); ++i) {
        auto const expected = static_cast<T>(std::floor(W(x[i]) / W(y[i])));
        CHECK(math::floor_divide(x[i], y[i]) == expected);
        CHECK(test::alone(f_floor_divide, x[i], y[i]) == expected);
    }
    T const infinity = std::numeric_limits<T>::infinity();
    CHECK(test::alone(f_floor_divide, T(1), T(0)) == infinity);
    CHECK(test::alone(f_floor_divide, T(-1), infinity) == -1);
    CHECK(std::isnan(test::alone(f_floor_divide, infinity, T(1))));
    CHECK(std::isnan(test::alone(f_floor_divide, T(0), T(0))));
    CHECK(test::same(test::alone(f_floor_divide, T(-0.0), T(3)), T(-0.0)));
}
