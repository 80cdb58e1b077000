// SPDX-License-Identifier: BSD-3-Clause
//
// Steps through all floats by a prime, so that every exponent and many mantissas come up. The
// variable FELT_SWEEP_STRIDE=1 makes it every float, which takes minutes.
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math.hpp>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>

namespace math = felt::math;

namespace {

std::uint64_t stride() {
    char const* chosen = std::getenv("FELT_SWEEP_STRIDE");
    return chosen ? std::strtoull(chosen, nullptr, 10) : 2003;
}

struct finding {
    double error = 0;
    float at = 0;
};

// The largest error over the floats whose words lie in first .. last.
template <class F, class G>
finding sweep(F f, G g, std::uint64_t first = 0, std::uint64_t last = 0xffffffff) {
    using B = xsimd::batch<float>;
    std::uint64_t const step = stride();
    float x[B::size], y[B::size];
    finding found;
    for (std::uint64_t word = first; word <= last;) {
        for (auto& v : x) {
            v = std::bit_cast<float>(static_cast<std::uint32_t>(std::min(word, last)));
            word += step;
        }
        f(B::load_unaligned(x)).store_unaligned(y);
        for (std::size_t i = 0; i < B::size; ++i)
            if (double const e = test::error(y[i], double(g(double(x[i])))); !(e <= found.error))
                found = {e, x[i]};
    }
    return found;
}

}  // namespace

TEST_CASE("exp of every float is within 1.25 units in the last place") {
    auto const found =
        sweep([](auto x) { return math::exp(x); }, [](double x) { return std::exp(x); });
    CAPTURE(found.at);
    CHECK(found.error < 1.25);
}

TEST_CASE("tanh of every float is within 1.5 units in the last place") {
    auto const found =
        sweep([](auto x) { return math::tanh(x); }, [](double x) { return std::tanh(x); });
    CAPTURE(found.at);
    CHECK(found.error < 1.5);
}

TEST_CASE("sigmoid of every float is within 2.5 units in the last place") {
    auto const found = sweep([](auto x) { return math::sigmoid(x); },
                             [](double x) { return 1 / (1 + std::exp(-x)); });
    CAPTURE(found.at);
    CHECK(found.error < 2.5);
}

TEST_CASE("log of every float is within 1 unit in the last place") {
    auto const found =
        sweep([](auto x) { return math::log(x); }, [](double x) { return std::log(x); });
    CAPTURE(found.at);
    CHECK(found.error < 1);
}

TEST_CASE("log1p of every float is within 1.5 units in the last place") {
    auto const found =
        sweep([](auto x) { return math::log1p(x); }, [](double x) { return std::log1p(x); });
    CAPTURE(found.at);
    CHECK(found.error < 1.5);
}

TEST_CASE("erf of every float is within 1.5 units in the last place") {
    auto const found =
        sweep([](auto x) { return math::erf(x); }, [](double x) { return std::erf(x); });
    CAPTURE(found.at);
    CHECK(found.error < 1.5);
}

TEST_CASE("sine and cosine of every float in [0, 1) are within two units in the last place") {
    std::uint64_t const below_one = 0x3f7fffff;
    double const tau = 6.283185307179586;
    auto const sine = [&](double u) { return std::sin(tau * (u > 0.25 ? 0.5 - u : u)); };
    auto const exact_sine = [&](double u) { return u > 0.5 ? -sine(u - 0.5) : sine(u); };
    auto const exact_cosine = [&](double u) { return sine(u < 0.5 ? 0.25 - u : u - 0.75); };
    CHECK(sweep([](auto u) { return math::sincos_2pi(u).sin; }, exact_sine, 0, below_one).error <
          2);
    CHECK(sweep([](auto u) { return math::sincos_2pi(u).cos; }, exact_cosine, 0, below_one).error <
          2);
}

TEST_CASE("the functions of <cmath>, of every float, are within two units in the last place") {
    auto const within = [](char const* name, auto f, auto g) {
        auto const found = sweep(f, g);
        CAPTURE(name);
        CAPTURE(found.at);
        CHECK(found.error < 2);
    };
    // clang-format off
    within("sin",   [](auto x) { return math::sin(x); },   [](double x) { return std::sin(x); });
    within("cos",   [](auto x) { return math::cos(x); },   [](double x) { return std::cos(x); });
    within("tan",   [](auto x) { return math::tan(x); },   [](double x) { return std::tan(x); });
    within("asin",  [](auto x) { return math::asin(x); },  [](double x) { return std::asin(x); });
    within("acos",  [](auto x) { return math::acos(x); },  [](double x) { return std::acos(x); });
    within("atan",  [](auto x) { return math::atan(x); },  [](double x) { return std::atan(x); });
    within("sinh",  [](auto x) { return math::sinh(x); },  [](double x) { return std::sinh(x); });
    within("cosh",  [](auto x) { return math::cosh(x); },  [](double x) { return std::cosh(x); });
    within("asinh", [](auto x) { return math::asinh(x); }, [](double x) { return std::asinh(x); });
    within("acosh", [](auto x) { return math::acosh(x); }, [](double x) { return std::acosh(x); });
    within("atanh", [](auto x) { return math::atanh(x); }, [](double x) { return std::atanh(x); });
    within("exp2",  [](auto x) { return math::exp2(x); },  [](double x) { return std::exp2(x); });
    within("expm1", [](auto x) { return math::expm1(x); }, [](double x) { return std::expm1(x); });
    within("log2",  [](auto x) { return math::log2(x); },  [](double x) { return std::log2(x); });
    within("log10", [](auto x) { return math::log10(x); }, [](double x) { return std::log10(x); });
    within("cbrt",  [](auto x) { return math::cbrt(x); },  [](double x) { return std::cbrt(x); });
    within("rsqrt", [](auto x) { return math::rsqrt(x); }, [](double x) { return 1 / std::sqrt(x); });
    within("erfc",  [](auto x) { return math::erfc(x); },  [](double x) { return std::erfc(x); });
    // clang-format on
}
