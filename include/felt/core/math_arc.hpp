// SPDX-License-Identifier: BSD-3-Clause
//
// With c the nearest of 0, 1/2, 1, 3/2 and infinity, x >= 0, and |t| below 7/16,
//
//     atan(x) = atan(c) + atan(t),  t = (x - c) / (1 + c x)
//     asin(x) = t + t^3 R(t^2)                           for t = x <= 1/2
//             = pi/2 - 2 asin(sqrt((1 - x) / 2))         beyond
//     acos(x) = pi/2 - asin(x)
//
// as in fdlibm; a root is kept as a sum of two numbers. The error seen in millions of samples is at
// most 1 ulp (atan, asin, acos), 1.5 (atan2).
#pragma once
#include <felt/core/math_basic.hpp>
#include <felt/core/math_two.hpp>

namespace felt::inline FELT_ABI::math {

template <std::floating_point T>
FELT_FN T asin(T x) {
    return std::asin(x);
}
template <std::floating_point T>
FELT_FN T acos(T x) {
    return std::acos(x);
}
template <std::floating_point T>
FELT_FN T atan(T x) {
    return std::atan(x);
}
template <std::floating_point T>
FELT_FN T atan2(T y, T x) {
    return std::atan2(y, x);
}

// An angle in two parts: what T holds of it, and the rest.
template <class T, class A>
FELT_INLINE two<batch<T, A>> angle(double value, double rest) {
    T const high = static_cast<T>(value);
    return {batch<T, A>(high), batch<T, A>(static_cast<T>((value - double(high)) + rest))};
}

// (atan(t) / t - 1) / t^2 for t^2 = z
template <class T, class A>
FELT_INLINE batch<T, A> atan_series(batch<T, A> z) {
    if constexpr (sizeof(T) == 4)
        return horner(z, -0.33333330712917575, 0.19999313540893124, -0.14256539610823686,
                      0.10668043113221785, -0.062147951296671653);
    else
        return horner(z, -0.33333333333333333, 0.19999999999999407, -0.14285714285566194,
                      0.11111111096591583, -0.090909083532198227, 0.076922854931711858,
                      -0.066662409302586468, 0.058769362265354845, -0.052166122327185116,
                      0.044919833928750385, -0.033121776641729316, 0.014766871594831716);
}

// atan(a) for a >= 0, infinite too.
template <class T, class A>
FELT_INLINE batch<T, A> atan_of_positive(batch<T, A> a) {
    using B = batch<T, A>;
    B const one(T(1)), zero(T(0));
    auto const beyond = [&](double bound) { return a >= B(T(bound)); };
    auto const first = beyond(0.4375), second = beyond(0.6875), third = beyond(1.1875),
               last = beyond(2.4375);
    B const c = math::select(third, B(T(1.5)),
                             math::select(second, one, math::select(first, B(T(0.5)), zero)));
    auto base = math::select(first, math::angle<T, A>(0.46364760900080609, 2.2698777452961687e-17),
                             two<B>{zero, zero});
    base =
        math::select(second, math::angle<T, A>(0.78539816339744828, 3.061616997868383e-17), base);
    base =
        math::select(third, math::angle<T, A>(0.98279372324732905, 1.3903311031230998e-17), base);
    base = math::select(last, math::angle<T, A>(1.5707963267948966, 6.123233995736766e-17), base);
    B const t = math::select(last, B(T(-1)), a - c) / math::select(last, a, madd(a, c, one));
    B const z = t * t;
    return base.high + (madd(t * z, atan_series(z), base.low) + t);
}

template <class T, class A>
FELT_INLINE batch<T, A> atan(batch<T, A> x) {
    return atan_of_positive(math::abs(x)) | sign_bit(x);
}

// Equal y and x are both zero, or have the angle of 1: both may be infinite.
template <class T, class A>
FELT_INLINE batch<T, A> atan2(batch<T, A> y, batch<T, A> x) {
    using B = batch<T, A>;
    B const a = math::abs(y), b = math::abs(x), zero(T(0)), one(T(1));
    B const q = math::select(a == b, math::select(a == zero, zero, one), a / b);
    B const right = atan_of_positive(q);
    auto const pi = math::angle<T, A>(3.1415926535897931, 1.2246467991473532e-16);
    B const left = pi.high - (right - pi.low);
    auto const to_the_left = (one | sign_bit(x)) < zero;
    return math::select(to_the_left, left, right) | sign_bit(y);
}

// (asin(t) / t - 1) / t^2 for t^2 = z <= 1/4
template <class T, class A>
FELT_INLINE batch<T, A> asin_series(batch<T, A> z) {
    if constexpr (sizeof(T) == 4)
        return horner(z, 0.16666672427703408, 0.074988529622620839, 0.045001894088299798,
                      0.026550662963657472, 0.038093962148042255);
    else
        return horner(z, 0.16666666666666668, 0.074999999999984243, 0.044642857146373381,
                      0.030381944137085214, 0.022372173002005597, 0.017352391265909228,
                      0.013971235301124539, 0.011478952690257387, 0.010324318288744112,
                      0.0054508781877205499, 0.017419357964884857, -0.014881409392818067,
                      0.028778442612593041);
}

// from - m asin(t), m = 1 or 2, with a root t >= 0 as far as t^2 = z says.
template <class T, class A>
FELT_INLINE batch<T, A> less_asin(two<batch<T, A>> from, two<batch<T, A>> t, batch<T, A> z) {
    auto const d = two_sum(from.high, batch<T, A>(T(0)) - t.high);
    return d.high + (d.low + (from.low - madd(t.high * z, asin_series(z), t.low)));
}

// 2 sqrt(z) in two parts.
template <class T, class A>
FELT_INLINE two<batch<T, A>> two_roots(batch<T, A> z) {
    using B = batch<T, A>;
    B const root = xsimd::sqrt(z);
    auto const back = two_product(root, root);
    B const left = (z - back.high) - back.low;
    return {root + root, left / max_or_second(B(std::numeric_limits<T>::min()), root)};
}

template <class T, class A>
FELT_INLINE batch<T, A> asin(batch<T, A> x) {
    using B = batch<T, A>;
    B const a = math::abs(x), half(T(0.5)), zero(T(0));
    auto const small = a <= half;
    B const z = math::select(small, a * a, half * (B(T(1)) - a));
    auto const t = math::select(small, two<B>{zero - a, zero}, two_roots(z));
    auto const quarter = math::angle<T, A>(1.5707963267948966, 6.123233995736766e-17);
    B const y = less_asin(math::select(small, two<B>{zero, zero}, quarter), t, z);
    return y | sign_bit(x);
}

template <class T, class A>
FELT_INLINE batch<T, A> acos(batch<T, A> x) {
    using B = batch<T, A>;
    B const a = math::abs(x), half(T(0.5)), zero(T(0));
    auto const small = a <= half, negative = x < zero;
    B const z = math::select(small, a * a, half * (B(T(1)) - a));
    auto const roots = two_roots(z);
    auto const far = math::select(negative, roots, two<B>{zero - roots.high, zero - roots.low});
    auto const t = math::select(small, two<B>{x, zero}, far);
    auto const quarter = math::angle<T, A>(1.5707963267948966, 6.123233995736766e-17);
    auto const turn = math::angle<T, A>(3.1415926535897931, 1.2246467991473532e-16);
    auto const end = math::select(negative, turn, two<B>{zero, zero});
    return less_asin(math::select(small, quarter, end), t, z);
}

}  // namespace felt::inline FELT_ABI::math
