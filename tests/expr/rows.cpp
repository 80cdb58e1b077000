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

TEST_CASE("three divisions of integers and of reals") {
    CHECK(both(op::fmod{}, -7, 3) == -1);
    CHECK(both(op::remainder{}, -7, 3) == 2);
    CHECK(both(op::floor_divide{}, -7, 3) == -3);
    CHECK(both(op::fmod{}, -7.5, 2.0) == -1.5);
    CHECK(both(op::remainder{}, -7.5f, 2.f) == 0.5);
    CHECK(both(op::floor_divide{}, -7.5, 2.0) == -4);
    CHECK(op::fmod{}(std::int64_t(-7), std::int64_t(3)) == -1);
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

TEST_CASE("classifying rows") {
    CHECK(both_hold(op::isnan{}, std::nanf("")));
    CHECK_FALSE(both_hold(op::isnan{}, 7));
    CHECK(both_hold(op::isinf{}, -HUGE_VAL));
    CHECK(both_hold(op::isfinite{}, 1.5f));
    CHECK_FALSE(both_hold(op::isfinite{}, std::nan("")));
    CHECK(both_hold(op::signbit{}, -0.0));
    CHECK(both_hold(op::signbit{}, -3));
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
    CHECK(both(op::erfc{}, 2.0) == doctest::Approx(std::erfc(2.0)));
    CHECK(both(op::gelu{}, 1.f) == doctest::Approx(0.8413447461));
    CHECK(both(op::pow{}, 2.0, 0.5) == doctest::Approx(std::sqrt(2.0)));
    CHECK(both(op::sin{}, 1.f) == doctest::Approx(std::sin(1.0)));
    CHECK(both(op::cos{}, 1.0) == doctest::Approx(std::cos(1.0)));
    CHECK(both(op::tan{}, 1.f) == doctest::Approx(std::tan(1.0)));
    CHECK(both(op::asin{}, 0.5) == doctest::Approx(std::asin(0.5)));
    CHECK(both(op::acos{}, 0.5f) == doctest::Approx(std::acos(0.5)));
    CHECK(both(op::atan{}, 2.0) == doctest::Approx(std::atan(2.0)));
    CHECK(both(op::atan2{}, 1.f, -2.f) == doctest::Approx(std::atan2(1.0, -2.0)));
    CHECK(both(op::sinh{}, 1.0) == doctest::Approx(std::sinh(1.0)));
    CHECK(both(op::cosh{}, 1.f) == doctest::Approx(std::cosh(1.0)));
    CHECK(both(op::asinh{}, 2.0) == doctest::Approx(std::asinh(2.0)));
    CHECK(both(op::acosh{}, 2.f) == doctest::Approx(std::acosh(2.0)));
    CHECK(both(op::atanh{}, 0.5) == doctest::Approx(std::atanh(0.5)));
    CHECK(both(op::exp2{}, 0.5f) == doctest::Approx(std::exp2(0.5)));
    CHECK(both(op::expm1{}, 0.5) == doctest::Approx(std::expm1(0.5)));
    CHECK(both(op::log2{}, 3.f) == doctest::Approx(std::log2(3.0)));
    CHECK(both(op::log10{}, 3.0) == doctest::Approx(std::log10(3.0)));
    CHECK(both(op::cbrt{}, 3.f) == doctest::Approx(std::cbrt(3.0)));
    CHECK(both(op::rsqrt{}, 4.0) == 0.5);
    CHECK(both(op::hypot{}, 3.f, 4.f) == 5);
    CHECK(both(op::copysign{}, 3.0, -0.0) == -3);
    CHECK(both(op::nextafter{}, 1.0, 2.0) == 1 + std::numeric_limits<double>::epsilon());
    CHECK(both(op::softplus{}, 1.f) == doctest::Approx(std::log1p(std::exp(1.0))));
    CHECK(both(op::logaddexp{}, 0.0, 1.0) == doctest::Approx(std::log1p(std::exp(1.0))));
    CHECK(both(op::silu{}, 1.f) == doctest::Approx(1 / (1 + std::exp(-1.0))));
    CHECK(both(op::elu{}, -1.0, 2.0) == doctest::Approx(2 * std::expm1(-1.0)));
    CHECK(both(op::leaky_relu{}, -2.f, 0.25f) == -0.5);
    CHECK(both(op::lerp{}, 1.0, 3.0, 0.25) == 1.5);
    CHECK(both(op::nan_to_num{}, std::nanf(""), 1.f, 2.f, 3.f) == 1);
}

TEST_CASE("functions of every number") {
    CHECK(both(op::floor{}, -1.5f) == -2);
    CHECK(both(op::floor{}, -7) == -7);
    CHECK(both(op::ceil{}, -1.5f) == -1);
    CHECK(both(op::round{}, 2.5) == 2);
    CHECK(both(op::trunc{}, -1.5) == -1);
    CHECK(both(op::ceil{}, -7) == -7);
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
