// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of tensor cores against rounding in double.
#include <doctest/doctest.h>
#include <felt/device/tile/mma_atoms.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace felt::device;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// x with so many bits of mantissa, the implicit one among them, by round(double).
template <class Round>
float rounded(float x, int bits, Round const& round) {
    if (x == 0 || !std::isfinite(x)) return x;
    int exponent = 0;
    (void)std::frexp(x, &exponent);
    int const step = std::max(exponent, -125) - bits;  // as far apart as subnormal numbers are
    double const y = std::ldexp(round(std::ldexp(static_cast<double>(x), -step)), step);
    if (std::fabs(y) >= std::ldexp(1.0, 128)) return y < 0 ? -infinity : infinity;
    return static_cast<float>(y);
}
float to_even(float x, int bits) {
    return rounded(x, bits, [](double y) { return std::nearbyint(y); });
}
float in_tf32(float x) { return tf32::value(tf32::word(x), 0); }
bool same(float x, float y) { return bits_of(x) == bits_of(y) || (std::isnan(x) && std::isnan(y)); }

// f(x) for numbers of all exponents and both signs, ties and their neighbours among them.
template <class F>
void each_number(F const& f) {
    for (std::uint64_t u = 0; u < std::uint64_t{1} << 32; u += 9973) {
        f(float_of(static_cast<std::uint32_t>(u)));
    }
    for (std::uint32_t high = 0; high < 1U << 16; high += 3) {
        for (std::uint32_t low : {0U, 1U, 0xfffU, 0x1000U, 0x1001U, 0x3000U, 0x7fffU, 0x8000U,
                                  0x8001U, 0xefffU, 0xf000U, 0xffffU}) {
            f(float_of(high << 16 | low));
        }
    }
}
bool signals(float x) { return std::isnan(x) && (bits_of(x) & 0x400000U) == 0; }

}  // namespace

TEST_CASE("TF32 has eleven bits, ties go to the even number") {
    int wrong = 0;
    each_number([&](float x) { wrong += !signals(x) && !same(in_tf32(x), to_even(x, 11)); });
    CHECK(wrong == 0);
    CHECK(in_tf32(1 + 0x1p-11F) == 1);
    CHECK(in_tf32(-1 - 0x1.8p-10F) == -1 - 0x1p-9F);
    CHECK(in_tf32(std::numeric_limits<float>::max()) == infinity);
    float const two[] = {3, 5};
    CHECK(tf32::word(two, 1) == bits_of(3));
}

TEST_CASE("BF16 has eight bits, ties go to even, and a word has two of them") {
    int wrong = 0;
    each_number([&](float x) {
        std::uint32_t const low = bf16::word(x, 3), high = bf16::word(5, x);
        wrong += !same(bf16::value(low, 0), to_even(x, 8)) || bf16::value(low, 1) != 3;
        wrong += !same(bf16::value(high, 1), to_even(x, 8)) || bf16::value(high, 0) != 5;
    });
    CHECK(wrong == 0);
    CHECK(bf16::value(bf16::word(1 + 0x1p-8F, 1 + 0x3p-8F), 0) == 1);
    CHECK(bf16::value(bf16::word(1 + 0x1p-8F, 1 + 0x3p-8F), 1) == 1 + 0x1p-6F);
}

TEST_CASE("the terms of a word of BF16 are four apart") {
    float terms[64];
    for (int i = 0; i < 64; ++i) terms[i] = static_cast<float>(i);
    for (int pitch : {1, 2, 7, 12}) {
        std::uint32_t const word = bf16::word(terms + 3, pitch);
        CHECK(bf16::value(word, 0) == 3);
        CHECK(bf16::value(word, 1) == static_cast<float>(3 + 4 * pitch));
    }
}

// Registers of a warp of 32: four words of a and two of b in each lane.
static_assert(16 * tf32::depth == 32 * 4 * tf32::per_word);
static_assert(16 * bf16::depth == 32 * 4 * bf16::per_word);
static_assert(8 * tf32::depth == 32 * 2 * tf32::per_word);
static_assert(8 * bf16::depth == 32 * 2 * bf16::per_word);
