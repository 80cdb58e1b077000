// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/math_complex.hpp>
#include <limits>

namespace math = felt::math;

namespace {
template <class T>
constexpr T inf = std::numeric_limits<T>::infinity();

template <class C>
bool near(C x, C y) {
    return std::abs(x - y) <= 4 * std::numeric_limits<felt::real_of<C>>::epsilon() * std::abs(y);
}
}  // namespace

TEST_CASE_TEMPLATE("products and quotients are the formulas", T, float, double) {
    using C = std::complex<T>;
    CHECK(math::multiply(C(1, 2), C(3, -1)) == C(5, 5));
    CHECK(math::multiply(3, 4) == 12);
    CHECK(near(math::divide(C(5, 5), C(3, -1)), C(1, 2)));
    CHECK(near(math::divide(C(5, 5), C(1, 2)), C(3, -1)));
    T const large = std::numeric_limits<T>::max() / 2;
    CHECK(near(math::divide(C(large, large), C(large, large)), C(1, 0)));  // no overflow
}

TEST_CASE_TEMPLATE("an infinity that the formula makes NaN of stays NaN", T, float, double) {
    using C = std::complex<T>;
    auto const z = math::multiply(C(inf<T>, inf<T>), C(1, 0));
    CHECK(math::isnan(z));
    auto const by_zero = math::divide(C(1, -2), C(0, 0));
    CHECK(by_zero.real() == inf<T>);
    CHECK(by_zero.imag() == -inf<T>);
    CHECK(math::isnan(math::divide(C(0, 0), C(0, 0))));
}

TEST_CASE_TEMPLATE("powers of zero and by zero", T, float, double) {
    using C = std::complex<T>;
    CHECK(math::pow(C(0, 0), C(0, 0)) == C(1, 0));
    CHECK(math::pow(C(2, 3), C(0, 0)) == C(1, 0));
    CHECK(math::pow(C(0, 0), C(2, 1)) == C(0, 0));
    CHECK(std::abs(math::pow(C(0, 1), C(2, 0)) - C(-1, 0)) < 1e-6);
}

TEST_CASE_TEMPLATE("absolute values, angles and conjugates", T, float, double) {
    using C = std::complex<T>;
    T const large = std::numeric_limits<T>::max() / 4;
    CHECK(math::abs(C(3, -4)) == 5);
    CHECK(math::abs(C(large, large)) < inf<T>);
    CHECK(math::abs(C(inf<T>, std::numeric_limits<T>::quiet_NaN())) == inf<T>);
    CHECK(math::squared_abs(C(3, -4)) == 25);
    CHECK(math::conj(C(3, -4)) == C(3, 4));
    CHECK(math::angle(C(0, 2)) == doctest::Approx(1.5707963267948966));
    CHECK(math::isinf(C(1, -inf<T>)));
    CHECK_FALSE(math::isfinite(C(1, -inf<T>)));
    CHECK(math::isfinite(C(1, 2)));
}
