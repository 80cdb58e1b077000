// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/math_divide.hpp>
#include <random>

namespace math = felt::math;

namespace {

// Lanes of a batch are what the numbers are.
template <class T>
void check(T const* x, T const* y) {
    using B = xsimd::batch<T>;
    T q[B::size];
    math::divide(B::load_unaligned(x), B::load_unaligned(y)).store_unaligned(q);
    for (std::size_t l = 0; l < B::size; ++l) {
        CAPTURE(+x[l]);
        CAPTURE(+y[l]);
        CHECK(q[l] == math::divide(x[l], y[l]));
    }
}

}  // namespace

TEST_CASE("seven by two, by zero, and the least number by minus one") {
    CHECK(math::divide(7, 2) == 3);
    CHECK(math::divide(-7, 2) == -3);
    CHECK(math::divide(7, 0) == 0);
    constexpr int least = std::numeric_limits<int>::min();
    CHECK(math::divide(least, -1) == least);
    CHECK(math::divide(std::int8_t{-128}, std::int8_t{-1}) == -128);
    CHECK(math::divide(7.0, 2.0) == 3.5);
    CHECK(std::isinf(math::divide(1.F, 0.F)));
}

TEST_CASE("batches of floating numbers and of integers up to 32 bits are divided") {
    CHECK(math::divisible<xsimd::batch<float>>);
    CHECK(math::divisible<xsimd::batch<double>>);
    CHECK(math::divisible<xsimd::batch<std::uint32_t>>);
    CHECK_FALSE(math::divisible<xsimd::batch<std::int64_t>>);
    CHECK(math::divisible<std::int64_t>);
}

TEST_CASE_TEMPLATE("quotients near every edge", T, std::int8_t, std::uint8_t, std::int16_t,
                   std::uint16_t, std::int32_t, std::uint32_t) {
    constexpr std::size_t W = xsimd::batch<T>::size;
    std::mt19937_64 random(9);
    constexpr T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
    T const edge[] = {least, T(least + 1), T(most - 1), most, T(-2), T(-1), T(0), T(1), T(2), T(3)};
    for (int repeat = 0; repeat < 3000; ++repeat) {
        T x[W], y[W];
        for (std::size_t l = 0; l < W; ++l) {
            int const shift = static_cast<int>(random() % (8 * sizeof(T)));
            y[l] = random() % 4 == 0 ? edge[random() % 10]
                                     : static_cast<T>(static_cast<T>(random()) >> shift);
            // Multiples of y, and their neighbours, are where rounding would show.
            std::uint64_t const near = random() * std::uint64_t(y[l]) + random() % 3 - 1;
            x[l] = random() % 4 == 0 ? edge[random() % 10] : static_cast<T>(near);
        }
        check(x, y);
    }
}
