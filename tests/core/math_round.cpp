// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_round.hpp>
#include <cstdint>

namespace math = felt::math;

TEST_CASE_TEMPLATE("ceil, trunc and round of a few numbers", T, float, double) {
    T const x[][4] = {{T(-2.5), -2, -2, -2}, {T(-1.5), -1, -1, -2},
                      {T(2.5), 3, 2, 2},     {T(3.5), 4, 3, 4},
                      {T(0.7), 1, 0, 1},     {T(-0.2), T(-0.0), T(-0.0), T(-0.0)}};
    for (auto [v, up, cut, near] : x) {
        CHECK(test::same(math::ceil(v), up));
        CHECK(test::same(math::trunc(v), cut));
        CHECK(test::same(math::round(v), near));
    }
}

TEST_CASE_TEMPLATE("batches are rounded as numbers are, with the signs of zeros", T, float,
                   double) {
    auto x = test::everywhere<T>();
    for (T v : test::magnitudes<T>(-3, 60, 4000)) x.insert(x.end(), {v, std::floor(v) + T(0.5)});
    for (T v : x) {
        CAPTURE(v);
        CHECK(test::same(test::alone([](auto u) { return math::ceil(u); }, v), std::ceil(v)));
        CHECK(test::same(test::alone([](auto u) { return math::trunc(u); }, v), std::trunc(v)));
        CHECK(test::same(test::alone([](auto u) { return math::round(u); }, v), std::rint(v)));
    }
}

TEST_CASE_TEMPLATE("integers stay what they are", T, std::int8_t, std::uint16_t, int,
                   std::int64_t) {
    using B = xsimd::batch<T>;
    CHECK(math::ceil(T(7)) == 7);
    CHECK(math::trunc(T(7)) == 7);
    CHECK(math::round(T(7)) == 7);
    CHECK(math::ceil(B(T(7))).get(0) == 7);
    CHECK(math::trunc(B(T(7))).get(0) == 7);
    CHECK(math::round(B(T(7))).get(0) == 7);
}
