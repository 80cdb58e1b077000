// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

using felt::bfloat16;
using felt::index_t;
using felt::Tensor;

namespace {

// To nearest, ties to even, by numbers.
float rounded(float x) {
    if (!std::isfinite(x) || x == 0) return x;
    int exponent = 0;
    std::frexp(x, &exponent);
    double const unit = std::ldexp(1.0, std::max(exponent, -125) - 8);
    double const steps = std::nearbyint(double(x) / unit);
    double const y = steps * unit;
    return std::abs(y) >= std::ldexp(1.0, 128) ? std::copysign(INFINITY, x) : float(y);
}

bool same(float a, float b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

}  // namespace

TEST_CASE("every bfloat16 is a float, which is that again") {
    int wrong = 0;
    for (unsigned bits = 0; bits < 65536; ++bits) {
        bfloat16 x;
        x.bits = static_cast<std::uint16_t>(bits);
        bfloat16 const again = float(x);
        bool const nan = std::isnan(float(x));
        wrong += nan ? !std::isnan(float(again)) : again.bits != x.bits;
    }
    CHECK(wrong == 0);
}

TEST_CASE("floats are rounded to nearest, ties to even, one by one and in lanes of any length") {
    std::vector<float> const some{0.F,          -0.F,     1.F,      1.00390625F, 1.01171875F,
                                  -1.00390625F, 3.14159F, 1e-40F,   -3e-39F,     3.3895e38F,
                                  3.4e38F,      -3.4e38F, INFINITY, -INFINITY,   NAN,
                                  65535.F,      0.1F,     1e-45F};
    for (float x : some) {
        CAPTURE(x);
        CHECK(same(float(bfloat16(x)), rounded(x)));
    }
    for (index_t n : {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 200}) {
        Tensor<float, 1> x({n}), back({n});
        x = felt::normal<float>({n}, 3) * 1e3F;
        for (index_t i = 0; i < std::min<index_t>(n, 18); ++i)
            x(i) = some[static_cast<std::size_t>(i)];
        Tensor<bfloat16, 1> const y = felt::cast<bfloat16>(x);
        back = y;
        int wrong = 0;
        for (index_t i = 0; i < n; ++i)
            wrong += !same(back(i), rounded(x(i))) || !same(float(y(i)), rounded(x(i)));
        CHECK(wrong == 0);
    }
}

TEST_CASE("functions of them are those of floats, and are stored as they are asked to be") {
    Tensor<bfloat16, 2> x({7, 45}), y({7, 45});
    x = felt::normal<float>(x.extents(), 1);
    y = felt::normal<float>(y.extents(), 2);
    Tensor<float, 2> f({7, 45}), g({7, 45}), z({7, 45}), want({7, 45});
    f = x, g = y;
    static_assert(std::is_same_v<felt::value_of<decltype(x + y)>, float>);
    static_assert(std::is_same_v<felt::value_of<decltype(x * 2)>, float>);
    static_assert(std::is_same_v<felt::value_of<decltype(exp(x))>, float>);
    static_assert(std::is_same_v<felt::value_of<decltype(felt::sum<1>(x))>, float>);
    static_assert(std::is_same_v<felt::value_of<decltype(felt::cumsum<1>(x))>, float>);
    static_assert(std::is_same_v<felt::value_of<decltype(matmul(x, felt::transpose(y)))>, float>);
    static_assert(std::is_same_v<felt::value_of<decltype(felt::flip<1>(x))>, bfloat16>);
    auto const agree = [&](auto const& a, auto const& b) {
        CHECK(test::values(eval(felt::cast<float>(a))) == test::values(eval(felt::cast<float>(b))));
    };
    agree(x * y + 1, f * g + 1);
    agree(felt::sigmoid(x) / (1 + felt::abs(y)), felt::sigmoid(f) / (1 + felt::abs(g)));
    agree(felt::where(x > y, x, 2 * y), felt::where(f > g, f, 2 * g));
    agree(felt::sum<1>(x), felt::sum<1>(f));
    agree(felt::softmax<0>(x), felt::softmax<0>(f));
    agree(felt::argmax<1>(x), felt::argmax<1>(f));
    agree(felt::cumprod<1>(x), felt::cumprod<1>(f));
    agree(felt::scatter_add<0>({9, 45}, felt::iota<int>({7}), x),
          felt::scatter_add<0>({9, 45}, felt::iota<int>({7}), f));
    agree(felt::map([](auto v) { return v * v; }, x), felt::map([](auto v) { return v * v; }, f));
    agree(felt::transpose(x), felt::transpose(f));
    agree(felt::concat<1>(felt::flip<1>(x), y), felt::concat<1>(felt::flip<1>(f), g));
    agree(felt::gather<1>(x, felt::iota<int>({9}) * 5),
          felt::gather<1>(f, felt::iota<int>({9}) * 5));

    Tensor<bfloat16, 2> stored({45, 7}), in_place = x;
    stored = felt::transpose(x * y);
    want = f * g;
    for (index_t i = 0; i < 7; ++i)
        for (index_t j = 0; j < 45; ++j) CHECK(same(float(stored(j, i)), rounded(want(i, j))));
    in_place += y;
    run(felt::unfused, assign(y, x + y));
    agree(in_place, y);
}

TEST_CASE("plans and prints name them") {
    Tensor<bfloat16, 1> x({3});
    x = felt::iota<float>({3}) + 0.5F;
    std::ostringstream out;
    out << explain(assign(x, x * 2)) << x;
    CHECK(out.str().find("bfloat16") != std::string::npos);
    CHECK(out.str().find("2.5") != std::string::npos);
}
