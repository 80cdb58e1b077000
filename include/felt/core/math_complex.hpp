// SPDX-License-Identifier: BSD-3-Clause
//
// Functions of complex numbers, one by one. Those of the standard library are C's, with its results
// at infinity and NaN (C17, annex G.6); not so products and quotients, which are NumPy's:
//
//     z w = (ac - bd) + (ad + bc) i          no infinity is put together again from NaN
//     z / w                                  without overflow (Smith 1962); by 0: a / 0, b / 0
//     pow(z, 0) = 1, pow(0, w) = 0 where the real part of w is positive
#pragma once
#include <felt/core/complex.hpp>
#include <felt/core/config.hpp>
#include <felt/core/math_class.hpp>
#include <cmath>

namespace felt::inline FELT_ABI::math {

// x y, of numbers and of batches of them.
template <class X>
FELT_FN FELT_INLINE X multiply(X x, X y) {
    return X(x * y);
}
FELT_CALLS_EITHER template <class T>
FELT_FN FELT_INLINE std::complex<T> multiply(std::complex<T> x, std::complex<T> y) {
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

FELT_CALLS_EITHER template <class T>
FELT_FN std::complex<T> divide(std::complex<T> x, std::complex<T> y) {
    T const c = y.real(), d = y.imag();
    if (std::fabs(c) >= std::fabs(d)) {
        if (c == 0 && d == 0) return {x.real() / std::fabs(c), x.imag() / std::fabs(c)};
        T const r = d / c, s = 1 / (c + d * r);
        return {(x.real() + x.imag() * r) * s, (x.imag() - x.real() * r) * s};
    }
    T const r = c / d, s = 1 / (d + c * r);
    return {(x.real() * r + x.imag()) * s, (x.imag() * r - x.real()) * s};
}

FELT_CALLS_EITHER template <class T>
FELT_FN std::complex<T> pow(std::complex<T> x, std::complex<T> y) {
    std::complex<T> const zero;
    if (y == zero) return T(1);
    if (x == zero && y.real() > 0) return zero;
    return std::pow(x, y);
}

FELT_CALLS_EITHER template <class T>
FELT_FN T abs(std::complex<T> x) {
    return std::hypot(x.real(), x.imag());
}
FELT_CALLS_EITHER template <class T>
FELT_FN T angle(std::complex<T> x) {
    return std::atan2(x.imag(), x.real());
}
FELT_CALLS_EITHER template <class T>
FELT_FN std::complex<T> conj(std::complex<T> x) {
    return {x.real(), -x.imag()};
}
FELT_CALLS_EITHER template <class T>
FELT_FN std::complex<T> square(std::complex<T> x) {
    return math::multiply(x, x);
}
// |x|^2.
FELT_CALLS_EITHER template <class T>
FELT_FN T squared_abs(std::complex<T> x) {
    return x.real() * x.real() + x.imag() * x.imag();
}

// clang-format off
FELT_CALLS_EITHER template <class T> FELT_FN std::complex<T> exp(std::complex<T> x)  { return std::exp(x); }
FELT_CALLS_EITHER template <class T> FELT_FN std::complex<T> log(std::complex<T> x)  { return std::log(x); }
FELT_CALLS_EITHER template <class T> FELT_FN std::complex<T> sqrt(std::complex<T> x) { return std::sqrt(x); }
FELT_CALLS_EITHER template <class T> FELT_FN std::complex<T> sin(std::complex<T> x)  { return std::sin(x); }
FELT_CALLS_EITHER template <class T> FELT_FN std::complex<T> cos(std::complex<T> x)  { return std::cos(x); }
FELT_CALLS_EITHER template <class T> FELT_FN std::complex<T> tan(std::complex<T> x)  { return std::tan(x); }
FELT_CALLS_EITHER template <class T> FELT_FN std::complex<T> sinh(std::complex<T> x) { return std::sinh(x); }
FELT_CALLS_EITHER template <class T> FELT_FN std::complex<T> cosh(std::complex<T> x) { return std::cosh(x); }
FELT_CALLS_EITHER template <class T> FELT_FN std::complex<T> tanh(std::complex<T> x) { return std::tanh(x); }
FELT_CALLS_EITHER template <class T> FELT_FN bool isnan(std::complex<T> x)    { return math::isnan(x.real()) || math::isnan(x.imag()); }
FELT_CALLS_EITHER template <class T> FELT_FN bool isinf(std::complex<T> x)    { return math::isinf(x.real()) || math::isinf(x.imag()); }
FELT_CALLS_EITHER template <class T> FELT_FN bool isfinite(std::complex<T> x) { return math::isfinite(x.real()) && math::isfinite(x.imag()); }
// clang-format on

}  // namespace felt::inline FELT_ABI::math
