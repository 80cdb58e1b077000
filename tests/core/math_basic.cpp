// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_basic.hpp>
#include <algorithm>
#include <cstdint>

namespace math = felt::math;

#define EVERY_NUMBER                                                                     \
    float, double, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, \
        std::uint32_t, std::int64_t, std::uint64_t

namespace {

// f of batches of x, y, z is what g says of each lane, and so is f of the numbers themselves.
template <class T, class F, class G>
void agree(F f, G g, T x, T y, T z) {
    using B = xsimd::batch<T>;
    T const expected = g(x, y, z);
    CHECK(f(x, y, z) == expected);
    CHECK(f(B(x), B(y), B(z)).get(0) == expected);
    CHECK(f(B(x), B(y), B(z)).get(B::size - 1) == expected);
}

template <class T>
constexpr bool has_sign = std::is_signed_v<T>;

// Both signs, both ends (the lowest integer, whose negation does not exist, left out).
template <class T>
std::vector<T> samples() {
    using limits = std::numeric_limits<T>;
    std::vector<T> x{T(0), T(1), T(2), T(7), T(100), limits::max()};
    if constexpr (has_sign<T>)
        for (T v : std::vector<T>(x)) x.push_back(static_cast<T>(-v));
    return x;
}

template <class T>
constexpr T a_nan = std::numeric_limits<T>::quiet_NaN();

}  // namespace

TEST_CASE("sign, abs, relu, square, floor of a few numbers") {
    CHECK(math::sign(-2.5f) == -1);
    CHECK(math::sign(0.0) == 0);
    CHECK(math::sign(std::uint8_t(200)) == 1);
    CHECK(math::abs(-2.5) == 2.5);
    CHECK(math::abs(-3) == 3);
    CHECK(math::relu(-1) == 0);
    CHECK(math::relu(1.5f) == 1.5f);
    CHECK(math::square(std::int8_t(-5)) == 25);
    CHECK(math::floor(-0.5f) == -1);
    CHECK(math::floor(7) == 7);
    CHECK(math::sqrt(9.0f) == 3);
}

TEST_CASE("soft_threshold moves towards zero by t and stops there") {
    CHECK(math::soft_threshold(3.0f, 1.0f) == 2);
    CHECK(math::soft_threshold(-3.0, 1.0) == -2);
    CHECK(math::soft_threshold(0.5f, 1.0f) == 0);
    CHECK(math::soft_threshold(-7, 5) == -2);
    CHECK(math::soft_threshold(3u, 5u) == 0);
}

TEST_CASE("clip takes the upper bound when the bounds are crossed, as NumPy does") {
    CHECK(math::clip(5, 0, 3) == 3);
    CHECK(math::clip(-5.0f, 0.0f, 3.0f) == 0);
    CHECK(math::clip(2.0, 3.0, 1.0) == 1);
    using B = xsimd::batch<double>;
    CHECK(math::clip(B(2.0), B(3.0), B(1.0)).get(0) == 1);
}

TEST_CASE_TEMPLATE("numbers and batches of every type agree with plain comparisons", T,
                   EVERY_NUMBER) {
    for (T x : samples<T>()) {
        agree<T>([](auto v, auto, auto) { return math::abs(v); },
                 [](T v, T, T) { return v < T(0) ? static_cast<T>(-v) : v; }, x, x, x);
        agree<T>([](auto v, auto, auto) { return math::sign(v); },
                 [](T v, T, T) { return static_cast<T>((v > T(0)) - (v < T(0))); }, x, x, x);
        agree<T>([](auto v, auto, auto) { return math::relu(v); },
                 [](T v, T, T) { return v > T(0) ? v : T(0); }, x, x, x);
        for (T y : samples<T>()) {
            agree<T>([](auto v, auto w, auto) { return math::maximum(v, w); },
                     [](T v, T w, T) { return v < w ? w : v; }, x, y, y);
            agree<T>([](auto v, auto w, auto) { return math::minimum(v, w); },
                     [](T v, T w, T) { return v < w ? v : w; }, x, y, y);
            for (T z : samples<T>())
                agree<T>([](auto v, auto lo, auto hi) { return math::clip(v, lo, hi); },
                         [](T v, T lo, T hi) { return std::min(std::max(v, lo), hi); }, x, y, z);
        }
    }
}

TEST_CASE_TEMPLATE("square and soft_threshold of every type", T, EVERY_NUMBER) {
    for (int i = has_sign<T> ? -11 : 0; i <= 11; ++i) {
        T const x = static_cast<T>(i);
        agree<T>([](auto v, auto, auto) { return math::square(v); },
                 [](T v, T, T) { return static_cast<T>(v * v); }, x, x, x);
        for (int t = 0; t < 13; ++t)
            agree<T>([](auto v, auto w, auto) { return math::soft_threshold(v, w); },
                     [](T v, T w, T) {
                         if (v > w) return static_cast<T>(v - w);
                         if (has_sign<T> && v < static_cast<T>(-w)) return static_cast<T>(v + w);
                         return T(0);
                     },
                     x, static_cast<T>(t), x);
    }
}

TEST_CASE_TEMPLATE("a NaN stays a NaN, wherever it stands", T, float, double) {
    using B = xsimd::batch<T>;
    auto const lost = [](auto f, T x, T y) {
        return !std::isnan(f(x, y)) || !std::isnan(f(B(x), B(y)).get(0));
    };
    T const pairs[][2] = {{a_nan<T>, T(1)}, {T(1), a_nan<T>}, {a_nan<T>, a_nan<T>}};
    for (auto [x, y] : pairs) {
        CHECK_FALSE(lost([](auto v, auto w) { return math::maximum(v, w); }, x, y));
        CHECK_FALSE(lost([](auto v, auto w) { return math::minimum(v, w); }, x, y));
    }
    T const x = a_nan<T>, y = T(1);
    CHECK_FALSE(lost([](auto v, auto) { return math::relu(v); }, x, y));
    CHECK_FALSE(lost([](auto v, auto) { return math::sign(v); }, x, y));
    CHECK_FALSE(lost([](auto v, auto) { return math::abs(v); }, x, y));
    CHECK_FALSE(lost([](auto v, auto) { return math::floor(v); }, x, y));
    CHECK_FALSE(lost([](auto v, auto) { return math::sqrt(v); }, x, y));
    CHECK_FALSE(lost([](auto v, auto w) { return math::clip(v, -w, w); }, x, y));
    CHECK_FALSE(lost([](auto v, auto w) { return math::soft_threshold(v, w); }, x, y));
}

TEST_CASE_TEMPLATE("floor and sqrt of batches are the standard library's", T, float, double) {
    auto x = test::magnitudes<T>(-40, 70, 4000);
    x.insert(x.end(), {T(0), T(0.5), T(-0.5), T(8388609), T(-8388609), T(1e30)});
    auto const lower = test::in_batches([](auto v) { return math::floor(v); }, x);
    auto const root = test::in_batches([](auto v) { return math::sqrt(math::abs(v)); }, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        REQUIRE(lower[i] == std::floor(x[i]));
        REQUIRE(root[i] == std::sqrt(std::abs(x[i])));
    }
}
