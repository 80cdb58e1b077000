// SPDX-License-Identifier: BSD-3-Clause
//
// To whole numbers: ceil upwards, trunc towards zero, round to the nearest, halves to the even one.
// Integers, infinities and NaN stay what they are, and zeros keep their signs.
#pragma once
#include <felt/core/math_basic.hpp>

namespace felt::inline FELT_ABI::math {

template <number T>
FELT_FN T ceil(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::ceil(x);
    else return x;
}
template <number T>
FELT_FN T trunc(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::trunc(x);
    else return x;
}
template <number T>
FELT_FN T round(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::nearbyint(x);
    else return x;
}

// y may have lost the sign of a zero.
template <class T, class A>
FELT_INLINE batch<T, A> with_sign_of(batch<T, A> x, batch<T, A> y) {
    return y | sign_bit(x);
}

template <class T, class A>
FELT_INLINE batch<T, A> ceil(batch<T, A> x) {
    if constexpr (std::is_floating_point_v<T>) return with_sign_of(x, xsimd::ceil(x));
    else return x;
}
template <class T, class A>
FELT_INLINE batch<T, A> trunc(batch<T, A> x) {
    if constexpr (std::is_floating_point_v<T>) return with_sign_of(x, xsimd::trunc(x));
    else return x;
}
template <class T, class A>
FELT_INLINE batch<T, A> round(batch<T, A> x) {
    if constexpr (std::is_floating_point_v<T>) return with_sign_of(x, xsimd::nearbyint(x));
    else return x;
}

}  // namespace felt::inline FELT_ABI::math
