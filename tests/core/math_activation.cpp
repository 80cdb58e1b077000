// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_activation.hpp>
#include <algorithm>

namespace math = felt::math;

namespace {

constexpr auto f_softplus = [](auto x) { return math::softplus(x); };
constexpr auto f_silu = [](auto x) { return math::silu(x); };
constexpr auto f_elu = [](auto x) { return math::elu(x, decltype(x)(1)); };
constexpr auto f_sum = [](auto x, auto y) { return math::logaddexp(x, y); };

constexpr auto exact_softplus = [](auto x) {
    return (x > 0 ? x : 0) + std::log1p(std::exp(-std::abs(x)));
};
constexpr auto exact_silu = [](auto x) { return x / (1 + std::exp(-x)); };
constexpr auto exact_elu = [](auto x) { return x > 0 ? x : std::expm1(x); };

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();

}  // namespace

TEST_CASE_TEMPLATE("activations of a few numbers", T, float, double) {
    CHECK(test::alone(f_softplus, T(0)) == doctest::Approx(0.693147181));
    CHECK(test::alone(f_softplus, T(1000)) == 1000);
    CHECK(test::alone(f_softplus, -infinity<T>) == 0);
    CHECK(test::alone(f_silu, T(1)) == doctest::Approx(0.731058579));
    CHECK(test::alone(f_silu, -infinity<T>) == 0);
    CHECK(math::silu(-infinity<T>) == 0);
    CHECK(test::alone(f_silu, infinity<T>) == infinity<T>);
    CHECK(test::alone(f_elu, T(-1)) == doctest::Approx(-0.632120559));
    CHECK(math::leaky_relu(T(-2), T(0.25)) == T(-0.5));
    CHECK(math::leaky_relu(T(3), T(0.25)) == 3);
    for (auto x : {f_softplus(std::numeric_limits<T>::quiet_NaN()),
                   test::alone(f_softplus, std::numeric_limits<T>::quiet_NaN()),
                   test::alone(f_silu, std::numeric_limits<T>::quiet_NaN()),
                   test::alone(f_elu, std::numeric_limits<T>::quiet_NaN())})
        CHECK(std::isnan(x));
}

TEST_CASE_TEMPLATE("activations are within a few units in the last place", T, float, double) {
    T const most = sizeof(T) == 4 ? T(86) : T(700);
    for (auto const& x :
         {test::uniform(T(-3), T(3)), test::uniform(-most, most), test::magnitudes<T>(-100, 6)}) {
        CHECK(test::worst_of_both<T>(f_softplus, exact_softplus, x) < 2);
        CHECK(test::worst_of_both<T>(f_silu, exact_silu, x) < 2);
        CHECK(test::worst_of_both<T>(f_elu, exact_elu, x) < 1.5);
    }
    auto const all = test::everywhere<T>();
    CHECK(test::worst_of_both<T>(f_elu, exact_elu, all) < 1.5);
}

TEST_CASE_TEMPLATE("logaddexp is right to a few roundings of its largest number", T, float,
                   double) {
    using W = test::wide<T>;
    auto const x = test::uniform(T(-30), T(30)), y = test::magnitudes<T>(-20, 6);
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        W const a = x[i], b = y[i], exact = std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
        W const unit = std::max({std::abs(a), std::abs(b), std::abs(exact)});
        for (T sum : {test::alone(f_sum, x[i], y[i]), f_sum(x[i], y[i])})
            most = std::fmax(most, static_cast<double>(std::abs(W(sum) - exact) / unit));
    }
    CHECK(most < 2 * std::numeric_limits<T>::epsilon());
}

TEST_CASE_TEMPLATE("logaddexp of infinities", T, float, double) {
    T const cases[][3] = {{infinity<T>, infinity<T>, infinity<T>},
                          {-infinity<T>, -infinity<T>, -infinity<T>},
                          {infinity<T>, -infinity<T>, infinity<T>},
                          {-infinity<T>, T(3), T(3)}};
    for (auto [x, y, sum] : cases) {
        CHECK(math::logaddexp(x, y) == sum);
        CHECK(test::alone(f_sum, x, y) == sum);
    }
    CHECK(std::isnan(test::alone(f_sum, T(1), std::numeric_limits<T>::quiet_NaN())));
}
