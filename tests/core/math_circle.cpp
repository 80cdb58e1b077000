// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_circle.hpp>

namespace math = felt::math;

namespace {

constexpr auto sine = [](auto u) { return math::sincos_2pi(u).sin; };
constexpr auto cosine = [](auto u) { return math::sincos_2pi(u).cos; };

// sin(2 pi u), by the symmetries that need no rounding of u.
template <class W>
W exact_sine(W u) {
    W const tau = static_cast<W>(6.283185307179586476925286766559L);
    if (u > W(0.5)) return -exact_sine(u - W(0.5));
    return std::sin(tau * (u > W(0.25) ? W(0.5) - u : u));
}
template <class W>
W exact_cosine(W u) {
    return u < W(0.5) ? exact_sine(W(0.25) - u) : exact_sine(u - W(0.75));
}

}  // namespace

TEST_CASE_TEMPLATE("the quarters of the circle are exact", T, float, double) {
    T const quarters[][3] = {{T(0), 0, 1}, {T(0.25), 1, 0}, {T(0.5), 0, -1}, {T(0.75), -1, 0}};
    for (auto [u, s, c] : quarters) {
        CHECK(math::sincos_2pi(u).sin == s);
        CHECK(math::sincos_2pi(u).cos == c);
        CHECK(test::alone(sine, u) == s);
        CHECK(test::alone(cosine, u) == c);
    }
    T const eighth = T(0.70710678118654752);
    CHECK(test::ulps(test::alone(sine, T(0.125)), std::sqrt(test::wide<T>(0.5))) < 2);
    CHECK(math::sincos_2pi(T(0.625)).cos == doctest::Approx(-eighth));
}

TEST_CASE_TEMPLATE("sine and cosine of a turn are within two units in the last place", T, float,
                   double) {
    using W = test::wide<T>;
    auto const s = [](W u) { return exact_sine(u); };
    auto const c = [](W u) { return exact_cosine(u); };
    auto const all = test::uniform(T(0), std::nextafter(T(1), T(0)));
    CHECK(test::worst<T>(sine, s, all) < 2);
    CHECK(test::worst<T>(cosine, c, all) < 2);
    auto small = test::magnitudes<T>(-100, -3);
    for (auto& u : small) u = std::abs(u);
    CHECK(test::worst<T>(sine, s, small) < 2);
    for (auto& u : small) u = T(0.25) + u;
    CHECK(test::worst<T>(cosine, c, small) < 2);
}

TEST_CASE_TEMPLATE("numbers and batches follow the same formula", T, float, double) {
    for (T u : test::uniform(T(0), T(0.999), 1000)) {
        CHECK(test::ulps(math::sincos_2pi(u).sin, test::wide<T>(test::alone(sine, u))) <= 2);
        CHECK(test::ulps(math::sincos_2pi(u).cos, test::wide<T>(test::alone(cosine, u))) <= 2);
    }
}
