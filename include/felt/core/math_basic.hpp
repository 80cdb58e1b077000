// SPDX-License-Identifier: BSD-3-Clause
//
// Comparisons and roundings, for numbers and for batches of them. A NaN stays a NaN.
//
//     sign(x) = x > 0 ? 1 : x < 0 ? -1 : x                relu(x) = max(x, 0)
//     clip(x, lo, hi) = min(max(x, lo), hi)               square(x) = x x
//     soft_threshold(x, t) = sign(x) max(|x| - t, 0) = x - clip(x, -t, t)       for t >= 0
//
// xsimd's max(a, b) and min(a, b) are b where a or b is a NaN (x86) or a NaN (ARM): the operand
// that must win stands second. Its x != x is false for a NaN on AVX: ask x == x.
#pragma once
#include <felt/core/math_batch.hpp>

namespace felt::inline FELT_ABI::math {

template <class T>
concept number = std::is_arithmetic_v<T>;

template <std::floating_point T>
FELT_FN T sqrt(T x) {
    return std::sqrt(x);
}
template <std::floating_point T>
FELT_FN T floor(T x) {
    return std::floor(x);
}
template <std::integral T>
FELT_FN T floor(T x) {
    return x;
}

template <number T>
FELT_FN T abs(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::fabs(x);
    else if constexpr (std::is_signed_v<T>) return x < T{} ? static_cast<T>(-x) : x;
    else return x;
}

template <number T>
FELT_FN T sign(T x) {
    if constexpr (std::is_signed_v<T>) return x > T{} ? T(1) : x < T{} ? T(-1) : x;
    else return x > T{} ? T(1) : x;
}

template <number T>
FELT_FN T maximum(T x, T y) {
    return x > y || x != x ? x : y;
}
template <number T>
FELT_FN T minimum(T x, T y) {
    return x < y || x != x ? x : y;
}

template <number T>
FELT_FN T relu(T x) {
    if constexpr (std::is_signed_v<T>) return x < T{} ? T{} : x;
    else return x;
}

template <number T>
FELT_FN T square(T x) {
    return static_cast<T>(x * x);
}

template <number T>
FELT_FN T clip(T x, T lo, T hi) {
    T const above = lo > x ? lo : x;
    return above > hi ? hi : above;
}

template <number T>
FELT_FN T soft_threshold(T x, T t) {
    if constexpr (std::is_signed_v<T>)
        return static_cast<T>(x - math::clip(x, static_cast<T>(-t), t));
    else return static_cast<T>(x - math::clip(x, T{}, t));
}

template <class T, class A>
FELT_INLINE batch<T, A> sqrt(batch<T, A> x) {
    return xsimd::sqrt(x);
}

template <class T, class A>
FELT_INLINE batch<T, A> floor(batch<T, A> x) {
    if constexpr (std::is_floating_point_v<T>) return xsimd::floor(x);
    else return x;
}

template <class T, class A>
FELT_INLINE batch<T, A> abs(batch<T, A> x) {
    if constexpr (std::is_signed_v<T>) return xsimd::abs(x);
    else return x;
}

template <class T, class A>
FELT_INLINE batch<T, A> sign(batch<T, A> x) {
    using B = batch<T, A>;
    auto const negative = std::is_signed_v<T> ? math::select(x < B(T{}), B(T(-1)), x) : x;
    return math::select(x > B(T{}), B(T(1)), negative);
}

template <class T, class A>
FELT_INLINE batch<T, A> maximum(batch<T, A> x, batch<T, A> y) {
    if constexpr (std::is_floating_point_v<T>) return math::select(x == x, max_or_second(x, y), x);
    else return max_or_second(x, y);
}

template <class T, class A>
FELT_INLINE batch<T, A> minimum(batch<T, A> x, batch<T, A> y) {
    if constexpr (std::is_floating_point_v<T>) return math::select(x == x, min_or_second(x, y), x);
    else return min_or_second(x, y);
}

// Of conditions: whether one of them holds, whether both do.
template <class T, class A>
FELT_INLINE xsimd::batch_bool<T, A> maximum(xsimd::batch_bool<T, A> x, xsimd::batch_bool<T, A> y) {
    return x | y;
}
template <class T, class A>
FELT_INLINE xsimd::batch_bool<T, A> minimum(xsimd::batch_bool<T, A> x, xsimd::batch_bool<T, A> y) {
    return x & y;
}

template <class T, class A>
FELT_INLINE batch<T, A> relu(batch<T, A> x) {
    return max_or_second(batch<T, A>(T{}), x);
}

template <class T, class A>
FELT_INLINE batch<T, A> square(batch<T, A> x) {
    return x * x;
}

template <class T, class A>
FELT_INLINE batch<T, A> clip(batch<T, A> x, batch<T, A> lo, batch<T, A> hi) {
    return min_or_second(hi, max_or_second(lo, x));
}

template <class T, class A>
FELT_INLINE batch<T, A> soft_threshold(batch<T, A> x, batch<T, A> t) {
    using B = batch<T, A>;
    if constexpr (std::is_signed_v<T>) return x - math::clip(x, B(T{}) - t, t);
    else return x - min_or_second(x, t);
}

}  // namespace felt::inline FELT_ABI::math
