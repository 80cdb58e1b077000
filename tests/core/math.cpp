// SPDX-License-Identifier: BSD-3-Clause
//
// What holds for all the elementary functions: a lane does not know its neighbours, narrower
// batches give the same values, and numbers agree with batches.
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math.hpp>
#include <string>

namespace math = felt::math;

namespace {

// Calls f(name, function) for every function of one number.
template <class F>
void for_each_function(F f) {
    f("exp", [](auto x) { return math::exp(x); });
    f("tanh", [](auto x) { return math::tanh(x); });
    f("sigmoid", [](auto x) { return math::sigmoid(x); });
    f("log", [](auto x) { return math::log(x); });
    f("log1p", [](auto x) { return math::log1p(x); });
    f("erf", [](auto x) { return math::erf(x); });
    f("gelu", [](auto x) { return math::gelu(x); });
    f("pow", [](auto x) { return math::pow(math::abs(x), x); });
    f("sqrt", [](auto x) { return math::sqrt(x); });
    f("floor", [](auto x) { return math::floor(x); });
    f("sign", [](auto x) { return math::sign(x); });
    f("relu", [](auto x) { return math::relu(x); });
    f("sin", [](auto x) { return math::sin(x); });
    f("cos", [](auto x) { return math::cos(x); });
    f("tan", [](auto x) { return math::tan(x); });
    f("asin", [](auto x) { return math::asin(x); });
    f("acos", [](auto x) { return math::acos(x); });
    f("atan", [](auto x) { return math::atan(x); });
    f("sinh", [](auto x) { return math::sinh(x); });
    f("cosh", [](auto x) { return math::cosh(x); });
    f("asinh", [](auto x) { return math::asinh(x); });
    f("acosh", [](auto x) { return math::acosh(x); });
    f("atanh", [](auto x) { return math::atanh(x); });
    f("exp2", [](auto x) { return math::exp2(x); });
    f("expm1", [](auto x) { return math::expm1(x); });
    f("log2", [](auto x) { return math::log2(x); });
    f("log10", [](auto x) { return math::log10(x); });
    f("cbrt", [](auto x) { return math::cbrt(x); });
    f("rsqrt", [](auto x) { return math::rsqrt(x); });
    f("erfc", [](auto x) { return math::erfc(x); });
    f("softplus", [](auto x) { return math::softplus(x); });
    f("silu", [](auto x) { return math::silu(x); });
    f("ceil", [](auto x) { return math::ceil(x); });
    f("round", [](auto x) { return math::round(x); });
    f("trunc", [](auto x) { return math::trunc(x); });
    f("atan2", [](auto x) { return math::atan2(x, math::cos(x)); });
    f("hypot", [](auto x) { return math::hypot(x, math::sin(x)); });
    f("logaddexp", [](auto x) { return math::logaddexp(x, math::abs(x)); });
    f("elu", [](auto x) { return math::elu(x, math::abs(x)); });
    f("fmod", [](auto x) { return math::fmod(x, decltype(x)(3)); });
    f("remainder", [](auto x) { return math::remainder(x, decltype(x)(-3)); });
    f("floor_divide", [](auto x) { return math::floor_divide(x, decltype(x)(3)); });
}

template <class T>
std::vector<T> inputs() {
    using limits = std::numeric_limits<T>;
    auto x = test::uniform(T(-20), T(20), 997);
    x.insert(x.end(), {T(0), T(-0.0), limits::infinity(), -limits::infinity(), limits::quiet_NaN(),
                       limits::max(), limits::lowest(), limits::denorm_min(), T(1000), T(-1000)});
    return x;
}

template <class T>
bool same(T x, T y) {
    return x == y || (std::isnan(x) && std::isnan(y));
}

}  // namespace

TEST_CASE_TEMPLATE("a lane's result does not depend on its place or its neighbours", T, float,
                   double) {
    auto const x = inputs<T>();
    for_each_function([&](char const* name, auto f) {
        CAPTURE(name);
        auto const together = test::in_batches(f, x);
        for (std::size_t i = 0; i < x.size(); ++i) {
            CAPTURE(x[i]);
            REQUIRE(same(together[i], test::alone(f, x[i])));
        }
    });
}

TEST_CASE_TEMPLATE("batches of the narrowest registers give nearly the same", T, float, double) {
    auto const x = inputs<T>();
    for_each_function([&](char const* name, auto f) {
        CAPTURE(name);
        auto const wide = test::in_batches(f, x);
        auto const narrow = test::in_batches<xsimd::sse2>(f, x);
        for (std::size_t i = 0; i < x.size(); ++i) {
            CAPTURE(x[i]);
            if (!same(wide[i], narrow[i]))
                REQUIRE(wide[i] == doctest::Approx(narrow[i]).epsilon(1e-6));
        }
    });
}

TEST_CASE_TEMPLATE("numbers agree with batches, except that batches drop subnormal results", T,
                   float, double) {
    T const few = 6 * std::numeric_limits<T>::epsilon(), least = std::numeric_limits<T>::min();
    for_each_function([&](char const* name, auto f) {
        CAPTURE(name);
        for (T x : inputs<T>()) {
            CAPTURE(x);
            T const number = f(x), lane = test::alone(f, x);
            if (same(number, lane)) continue;
            T const unit = name == std::string("gelu") ? std::fmax(std::abs(x), T(1)) : T(1);
            REQUIRE(std::abs(number - lane) <= few * std::fmax(unit, std::abs(number)) + least);
        }
    });
}
