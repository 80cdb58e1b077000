// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/math_batch.hpp>

namespace math = felt::math;

TEST_CASE_TEMPLATE("madd multiplies and adds, scalar and batch", T, float, double) {
    using B = xsimd::batch<T>;
    CHECK(math::madd(T(2), T(3), T(4)) == 10);
    CHECK(math::madd(B(T(2)), B(T(3)), B(T(4))).get(0) == 10);
    CHECK(math::madd(B(T(2)), B(T(-3)), B(T(4))).get(B::size - 1) == -2);
}

TEST_CASE_TEMPLATE("horner takes the coefficients from the constant up", T, float, double) {
    CHECK(math::horner(T(2), 1.0, 10.0, 100.0) == 421);
    CHECK(math::horner(xsimd::batch<T>(T(2)), 1.0, 10.0, 100.0).get(0) == 421);
    CHECK(math::horner(T(2), 7.0) == 7);
}

TEST_CASE_TEMPLATE("the word of 1 is the bias above the mantissa", T, float, double) {
    using B = xsimd::batch<T>;
    auto const word = math::to_word(B(T(1)));
    using W = typename math::format<T>::word;
    CHECK(word.get(0) == W(math::format<T>::bias) << math::format<T>::mantissa);
    CHECK(math::from_word<T, typename B::arch_type>(word).get(0) == 1);
    CHECK((word >> math::format<T>::mantissa).get(B::size - 1) == W(math::format<T>::bias));
}

TEST_CASE_TEMPLATE("the shifter leaves the nearest integer in the low bits", T, float, double) {
    T const shift = math::shifter<T>;
    CHECK((T(3.7) + shift) - shift == 4);
    CHECK((T(-126.2) + shift) - shift == -126);
    CHECK((T(2.5) + shift) - shift == 2);
    xsimd::batch<T> const five(T(5.2));
    auto const bits = math::to_word(five + xsimd::batch<T>(shift)).get(0);
    CHECK(bits % 1024 == 5);
}

TEST_CASE_TEMPLATE("the two parts of ln 2 sum to ln 2 and leave room for an exponent", T, float,
                   double) {
    long double const sum = static_cast<long double>(static_cast<T>(math::ln2_high<T>)) +
                            static_cast<long double>(static_cast<T>(math::ln2_low<T>));
    long double const unit = std::numeric_limits<T>::epsilon();
    CHECK(std::abs(sum - 0.693147180559945309417L) < unit * unit * 1024);
    T const high = static_cast<T>(math::ln2_high<T>);
    T const most = T(math::format<T>::bias + 1);
    CHECK(static_cast<long double>(high * most) ==
          static_cast<long double>(high) * static_cast<long double>(most));
}
