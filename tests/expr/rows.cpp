// SPDX-License-Identifier: BSD-3-Clause
//
// Rows are called with numbers and with SIMD batches: the same values in every lane.
#include <doctest/doctest.h>
#include <felt/expr/rows.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

namespace op = felt::op;

namespace {

// f at x, and in all lanes of batches of x, which agree to a few units in the last place.
template <class F, class... T>
double both(F f, T... x) {
    auto const alone = f(x...);
    auto const lanes = f(xsimd::batch<T>(x)...);
    double const one = static_cast<double>(alone), lane = static_cast<double>(lanes.get(0));
    CHECK(std::abs(one - lane) <= 1e-6 * std::abs(one));
    return one;
}
template <class F, class... T>
bool both_hold(F f, T... x) {
    bool const alone = f(x...);
    CHECK(alone == xsimd::all(f(xsimd::batch<T>(x)...)));
    CHECK(alone == xsimd::any(f(xsimd::batch<T>(x)...)));
    return alone;
}

}  // namespace

TEST_CASE("arithmetic rows") {
    CHECK(both(op::add{}, 2.f, 3.f) == 5);
    CHECK(both(op::subtract{}, 2.0, 3.0) == -1);
    CHECK(both(op::multiply{}, 2, 3) == 6);
    CHECK(both(op::divide{}, 3.f, 2.f) == 1.5);
    CHECK(both(op::negate{}, 3) == -3);
    CHECK(both(op::square{}, -3.f) == 9);
}

TEST_CASE("rows of small integers stay in their type") {
    signed char const x = 100;
    CHECK(std::is_same_v<decltype(op::add{}(x, x)), signed char>);
    CHECK(op::add{}(x, x) == static_cast<signed char>(-56));
    CHECK(std::is_same_v<decltype(op::square{}(x)), signed char>);
    CHECK(std::is_same_v<decltype(op::abs{}(x)), signed char>);
}

TEST_CASE("integers divide towards zero, and no division ends the program") {
    CHECK(op::divide{}(-7, 2) == -3);
    CHECK(op::divide{}(7, 0) == 0);
    CHECK(op::divide{}(std::numeric_limits<int>::min(), -1) == std::numeric_limits<int>::min());
    CHECK(op::divide{}(8u, 0xffffffffu) == 0);
}

TEST_CASE("comparing rows") {
    CHECK(both_hold(op::less{}, 1.f, 2.f));
    CHECK_FALSE(both_hold(op::less{}, 2, 2));
    CHECK(both_hold(op::less_equal{}, 2, 2));
    CHECK(both_hold(op::greater{}, 2.0, 1.0));
    CHECK_FALSE(both_hold(op::greater_equal{}, 1.f, 2.f));
    CHECK(both_hold(op::equal{}, 2, 2));
    CHECK(both_hold(op::not_equal{}, 1.f, 2.f));
    CHECK_FALSE(both_hold(op::equal{}, std::nanf(""), std::nanf("")));
    CHECK(both_hold(op::not_equal{}, std::nanf(""), std::nanf("")));
}

TEST_CASE("logic rows") {
    CHECK(op::logical_and{}(true, true));
    CHECK_FALSE(op::logical_and{}(true, false));
    CHECK(op::logical_or{}(false, true));
    CHECK(op::logical_not{}(false));
}

TEST_CASE("real functions") {
    CHECK(both(op::exp{}, 1.0) == doctest::Approx(std::exp(1.0)));
    CHECK(both(op::log{}, 2.f) == doctest::Approx(std::log(2.0)));
    CHECK(both(op::log1p{}, 0.5f) == doctest::Approx(std::log1p(0.5)));
    CHECK(both(op::sqrt{}, 2.f) == doctest::Approx(std::sqrt(2.0)));
    CHECK(both(op::tanh{}, 0.5) == doctest::Approx(std::tanh(0.5)));
    CHECK(both(op::sigmoid{}, 1.f) == doctest::Approx(1 / (1 + std::exp(-1.0))));
    CHECK(both(op::erf{}, 0.5f) == doctest::Approx(std::erf(0.5)));
    CHECK(both(op::gelu{}, 1.f) == doctest::Approx(0.8413447461));
    CHECK(both(op::pow{}, 2.0, 0.5) == doctest::Approx(std::sqrt(2.0)));
}

TEST_CASE("functions of every number") {
    CHECK(both(op::floor{}, -1.5f) == -2);
    CHECK(both(op::floor{}, -7) == -7);
    CHECK(both(op::abs{}, -7) == 7);
    CHECK(both(op::sign{}, -7.0) == -1);
    CHECK(both(op::sign{}, 0) == 0);
    CHECK(both(op::relu{}, -7) == 0);
    CHECK(both(op::relu{}, 7.f) == 7);
    CHECK(both(op::maximum{}, 1, 2) == 2);
    CHECK(both(op::minimum{}, 1.f, 2.f) == 1);
    CHECK(both(op::clip{}, 5, -1, 1) == 1);
    CHECK(both(op::soft_threshold{}, -3.f, 1.f) == -2);
}

TEST_CASE("where picks the first value where the condition holds") {
    CHECK(op::where{}(true, 1.f, 2.f) == 1);
    CHECK(op::where{}(false, 1, 2) == 2);
    xsimd::batch<float> const x(3.f), y(4.f);
    CHECK(op::where{}(x < y, x, y).get(0) == 3);
}
