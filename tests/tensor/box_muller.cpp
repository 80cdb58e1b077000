// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/tensor/box_muller.hpp>
#include <cmath>

namespace {

using namespace felt::detail;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 ones32 = 0xFFFFFFFF;
constexpr u64 ones64 = ~u64{0};

// Words with every pattern at the ends and a scatter between.
template <class W>
W scattered(int i) {
    if (i < 64) return static_cast<W>(W{1} << (i % (8 * static_cast<int>(sizeof(W)))));
    if (i < 128) return static_cast<W>(~scattered<W>(i - 64));
    return static_cast<W>(static_cast<u64>(i) * 0x9E3779B97F4A7C15u >> (64 - 8 * sizeof(W)));
}

// |found - expected| in units of the last place of expected.
template <class T>
double ulps(T found, long double expected) {
    int exponent = 0;
    (void)std::frexp(static_cast<T>(expected), &exponent);
    long double const unit = std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits);
    return static_cast<double>(std::fabs(static_cast<long double>(found) - expected) / unit);
}

// The pair by the formula in the header, in long double; u has the rounding that T gives it.
template <class T, class W>
struct exact_pair {
    long double first, second;

    exact_pair(W a, W b) {
        constexpr int width = random_bits<T>::width, digits = random_bits<T>::digits;
        long double const pi = 3.14159265358979323846264338327950288L;
        long double const r =
            std::sqrt(-2 * std::log(static_cast<long double>(uniform_above_zero(a))));
        W const fraction_bits = static_cast<W>(b << 2) >> (width - digits);
        long double const quarter =
            static_cast<long double>(fraction_bits) / static_cast<long double>(u64{1} << digits);
        long double const t = pi / 2 * (quarter - 0.5L);
        long double const c = (b >> (width - 1)) != 0 ? -std::cos(t) : std::cos(t);
        bool const exchanged = ((b >> (width - 2)) & 1) != 0;
        first = r * (exchanged ? std::sin(t) : c);
        second = r * (exchanged ? c : std::sin(t));
    }
};

template <class T, class W, class A>
double worst_ulps_of_normal() {
    using words = xsimd::batch<W, A>;
    constexpr int size = static_cast<int>(words::size);
    double worst = 0;
    for (int i = 0; i < 40000; i += size) {
        W a[size], b[size];
        for (int l = 0; l < size; ++l) a[l] = scattered<W>(i + l);
        for (int l = 0; l < size; ++l) b[l] = scattered<W>(7 * (i + l) + 1);
        auto const pair = normal_pair(words::load_unaligned(a), words::load_unaligned(b));
        T first[size], second[size];
        pair.first.store_unaligned(first);
        pair.second.store_unaligned(second);
        for (int l = 0; l < size; ++l) {
            exact_pair<T, W> const exact(a[l], b[l]);
            auto const scalar = normal_pair(a[l], b[l]);
            for (double u : {ulps(first[l], exact.first), ulps(second[l], exact.second),
                             ulps(scalar.first, exact.first), ulps(scalar.second, exact.second)}) {
                worst = worst < u || u != u ? u : worst;
            }
        }
    }
    return worst;
}

TEST_CASE("uniform takes the top bits of its word") {
    CHECK(uniform(u32{0}) == 0.0f);
    CHECK(uniform(u32{0xFF}) == 0.0f);
    CHECK(uniform(u32{0x100}) == 0x1p-24f);
    CHECK(uniform(u32{0x80000000}) == 0.5f);
    CHECK(uniform(u64{0x7FF}) == 0.0);
    CHECK(uniform(u64{0x800}) == 0x1p-53);
    CHECK(uniform(u64{1} << 63) == 0.5);
}

TEST_CASE("uniform is never 1") {
    CHECK(uniform(ones32) == 1 - 0x1p-24f);
    CHECK(uniform(ones64) == 1 - 0x1p-53);
}

TEST_CASE("the argument of the logarithm is never 0 and never above 1") {
    CHECK(uniform_above_zero(u32{0}) == 0x1p-32f);
    CHECK(uniform_above_zero(ones32) == 1.0f);
    CHECK(uniform_above_zero(u64{0}) == 0x1p-54);
    CHECK(uniform_above_zero(ones64) == 1.0);
}

TEST_CASE("the largest normal number is 6.66 in float and 8.65 in double") {
    u32 const middle32 = u32{1} << 29;  // an angle of 0
    u64 const middle64 = u64{1} << 61;
    CHECK(normal_pair(u32{0}, middle32).first == doctest::Approx(6.6604).epsilon(1e-4));
    CHECK(normal_pair(u64{0}, middle64).first == doctest::Approx(8.6522).epsilon(1e-4));
    CHECK(normal_pair(u32{0}, middle32).second == 0.0f);
    CHECK(normal_pair(ones32, middle32).first == 0.0f);
}

TEST_CASE("the top bits of the second word turn the pair to the other quarters") {
    u32 const a = 0x12345678, b = 0x1ABCDEF0;
    auto const plain = normal_pair(a, b), left = normal_pair(a, b | 0x80000000);
    auto const up = normal_pair(a, b | 0x40000000), down = normal_pair(a, b | 0xC0000000);
    CHECK(plain.first > 0);
    CHECK(left.first == -plain.first);
    CHECK(left.second == plain.second);
    CHECK(up.first == plain.second);
    CHECK(up.second == plain.first);
    CHECK(down.first == plain.second);
    CHECK(down.second == -plain.first);
}

TEST_CASE("a batch of words becomes what each word becomes") {
    using lanes32 = xsimd::batch<u32>;
    using lanes64 = xsimd::batch<u64>;
    u32 w32[lanes32::size];
    u64 w64[lanes64::size];
    float f[lanes32::size];
    double d[lanes64::size];
    for (int i = 0; i < 4000; ++i) {
        for (std::size_t l = 0; l < lanes32::size; ++l) w32[l] = scattered<u32>(i + 61 * int(l));
        for (std::size_t l = 0; l < lanes64::size; ++l) w64[l] = scattered<u64>(i + 61 * int(l));
        uniform(lanes32::load_unaligned(w32)).store_unaligned(f);
        uniform(lanes64::load_unaligned(w64)).store_unaligned(d);
        for (std::size_t l = 0; l < lanes32::size; ++l) REQUIRE(f[l] == uniform(w32[l]));
        for (std::size_t l = 0; l < lanes64::size; ++l) REQUIRE(d[l] == uniform(w64[l]));
        uniform_above_zero(lanes32::load_unaligned(w32)).store_unaligned(f);
        uniform_above_zero(lanes64::load_unaligned(w64)).store_unaligned(d);
        for (std::size_t l = 0; l < lanes32::size; ++l) REQUIRE(f[l] == uniform_above_zero(w32[l]));
        for (std::size_t l = 0; l < lanes64::size; ++l) REQUIRE(d[l] == uniform_above_zero(w64[l]));
    }
}

TEST_CASE("normal is within 4 units of the last place, scalar and in batches") {
    double const in_float = worst_ulps_of_normal<float, u32, xsimd::default_arch>();
    double const in_double = worst_ulps_of_normal<double, u64, xsimd::default_arch>();
    CHECK(in_float <= 4);
    CHECK(in_double <= 4);
}

}  // namespace
