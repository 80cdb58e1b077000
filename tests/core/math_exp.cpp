// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_exp.hpp>

namespace math = felt::math;

namespace {

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T a_nan = std::numeric_limits<T>::quiet_NaN();

constexpr auto f_exp = [](auto x) { return math::exp(x); };
constexpr auto f_tanh = [](auto x) { return math::tanh(x); };
constexpr auto f_sigmoid = [](auto x) { return math::sigmoid(x); };

}  // namespace

TEST_CASE_TEMPLATE("exp, tanh and sigmoid of a few numbers", T, float, double) {
    CHECK(test::alone(f_exp, T(0)) == 1);
    CHECK(test::alone(f_exp, T(1)) == doctest::Approx(2.718281828).epsilon(1e-7));
    CHECK(test::alone(f_tanh, T(0.5)) == doctest::Approx(0.462117157).epsilon(1e-7));
    CHECK(test::alone(f_tanh, T(-2)) == doctest::Approx(-0.964027580).epsilon(1e-7));
    CHECK(test::alone(f_sigmoid, T(0)) == T(0.5));
    CHECK(test::alone(f_sigmoid, T(-3)) == doctest::Approx(0.0474258732).epsilon(1e-7));
    CHECK(math::sigmoid(T(-3)) == doctest::Approx(0.0474258732).epsilon(1e-7));
}

TEST_CASE_TEMPLATE("infinities, NaN and minus zero", T, float, double) {
    CHECK(test::alone(f_exp, infinity<T>) == infinity<T>);
    CHECK(test::alone(f_exp, -infinity<T>) == 0);
    CHECK(test::alone(f_tanh, infinity<T>) == 1);
    CHECK(test::alone(f_tanh, -infinity<T>) == -1);
    CHECK(test::alone(f_sigmoid, infinity<T>) == 1);
    CHECK(test::alone(f_sigmoid, -infinity<T>) == 0);
    CHECK(std::isnan(test::alone(f_exp, a_nan<T>)));
    CHECK(std::isnan(test::alone(f_tanh, a_nan<T>)));
    CHECK(std::isnan(test::alone(f_sigmoid, a_nan<T>)));
    CHECK(std::signbit(test::alone(f_tanh, T(-0.0))));
    CHECK_FALSE(std::signbit(test::alone(f_tanh, T(0))));
}

TEST_CASE("exp overflows and vanishes where the result leaves the normal range") {
    CHECK(test::alone(f_exp, 88.7228317f) == doctest::Approx(3.40279851e38).epsilon(1e-6));
    CHECK(test::alone(f_exp, 88.7228394f) == infinity<float>);
    CHECK(test::alone(f_exp, -87.3365402f) == doctest::Approx(1.17549962e-38).epsilon(1e-6));
    CHECK(test::alone(f_exp, -87.3365479f) == 0);
    CHECK(test::alone(f_exp, 709.782712893384) == doctest::Approx(1.797693134862273e308));
    CHECK(test::alone(f_exp, 709.7827128933841) == infinity<double>);
    CHECK(test::alone(f_exp, -708.3964185322641) == doctest::Approx(2.2250738585072626e-308));
    CHECK(test::alone(f_exp, -708.3964185322642) == 0);
}

TEST_CASE("tanh of a small number is that number, rounded") {
    CHECK(test::alone(f_tanh, 1e-30f) == 1e-30f);
    CHECK(test::alone(f_tanh, 1e-40f) == 1e-40f);
    CHECK(test::alone(f_tanh, -1e-300) == -1e-300);
    CHECK(test::alone(f_tanh, 20.0) == 1);
    CHECK(test::alone(f_tanh, 9.5f) == 1);
}

TEST_CASE("exp, tanh and sigmoid of doubles are within a few units in the last place") {
    using test::wide, test::worst;
    auto const exact = [](wide<double> x) { return std::exp(x); };
    CHECK(worst<double>(f_exp, exact, test::uniform(-708.0, 709.7)) < 1.5);
    CHECK(worst<double>(f_exp, exact, test::magnitudes<double>(-60, 9)) < 1.5);

    auto const exact_tanh = [](wide<double> x) { return std::tanh(x); };
    CHECK(worst<double>(f_tanh, exact_tanh, test::uniform(-22.0, 22.0)) < 1.5);
    CHECK(worst<double>(f_tanh, exact_tanh, test::uniform(-1.0, 1.0)) < 1.5);
    CHECK(worst<double>(f_tanh, exact_tanh, test::magnitudes<double>(-1000, 10)) < 1.5);

    auto const exact_sigmoid = [](wide<double> x) { return 1 / (1 + std::exp(-x)); };
    CHECK(worst<double>(f_sigmoid, exact_sigmoid, test::uniform(-708.0, 40.0)) < 2.5);
    CHECK(worst<double>(f_sigmoid, exact_sigmoid, test::uniform(-38.0, -35.0)) < 2.5);
    CHECK(worst<double>(f_sigmoid, exact_sigmoid, test::magnitudes<double>(-60, 9)) < 2.5);
}
