// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/math_bits.hpp>
#include <cstdint>
#include <limits>

namespace math = felt::math;

TEST_CASE("shifts of a few numbers") {
    CHECK(math::shift_left(5, 3) == 40);
    CHECK(math::shift_left(5, 32) == 0);
    CHECK(math::shift_left(5, -1) == 0);
    CHECK(math::shift_left(-1, 31) == std::numeric_limits<int>::min());
    CHECK(math::shift_right(-5, 1) == -3);
    CHECK(math::shift_right(-5, 99) == -1);
    CHECK(math::shift_right(5, -1) == 0);
    CHECK(math::shift_left(std::uint8_t(255), std::uint8_t(4)) == 240);
    CHECK(math::shift_right(std::uint8_t(255), std::uint8_t(8)) == 0);
}

TEST_CASE_TEMPLATE("batches are shifted as numbers are", T, std::int8_t, std::uint8_t, std::int16_t,
                   std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t) {
    using B = xsimd::batch<T>;
    T x[B::size], n[B::size];
    for (int repeat = 0; repeat < 200; ++repeat) {
        for (std::size_t l = 0; l < B::size; ++l) {
            x[l] = static_cast<T>(0x9e3779b97f4a7c15ULL * (l + 1 + 64 * std::size_t(repeat)) >> 11);
            n[l] = static_cast<T>(int(l) * 7 + repeat - 20);
        }
        auto const left = math::shift_left(B::load_unaligned(x), B::load_unaligned(n));
        auto const right = math::shift_right(B::load_unaligned(x), B::load_unaligned(n));
        for (std::size_t l = 0; l < B::size; ++l) {
            CHECK(left.get(l) == math::shift_left(x[l], n[l]));
            CHECK(right.get(l) == math::shift_right(x[l], n[l]));
        }
    }
}
