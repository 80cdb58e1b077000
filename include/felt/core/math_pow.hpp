// SPDX-License-Identifier: BSD-3-Clause
//
// x^y = e^(y log|x|), negated where x is negative and y odd
//
// The error of a product is its relative error times its size, up to 88 (float) or 709 (double), so
// the logarithm and its product with y are kept as unevaluated sums of two numbers. The error seen
// in millions of samples is 1.2 ulp (float), 1.7 (double); subnormal results are rounded once more.
#pragma once
#include <felt/core/math_exp2.hpp>
#include <felt/core/math_log.hpp>
#include <felt/core/math_two.hpp>

namespace felt::inline FELT_ABI::math {

template <std::floating_point T>
FELT_FN T pow(T x, T y) {
    return std::pow(x, y);
}

// s = f / (2 + f) in two parts: the second is what the division left over.
template <class T, class A>
FELT_INLINE two<batch<T, A>> divided(batch<T, A> f) {
    using B = batch<T, A>;
    B const d = B(T(2)) + f;
    B const d_low = f - (d - B(T(2)));
    B const s = f / d;
    auto const [p, p_low] = two_product(s, d);
    return {s, ((f - p) - p_low - s * d_low) / d};
}

// (R(z) - 2/3) / z of the logarithm's R; closer than there, for the sake of the large exponents.
template <class T, class A>
FELT_INLINE batch<T, A> atanh_tail(batch<T, A> z) {
    if constexpr (sizeof(T) == 4)
        return horner(z, 0.40000152642382099, 0.28547083775406236, 0.2341981869880166);
    else
        return horner(z, 0.39999999999999977, 0.28571428571445218, 0.22222222217510632,
                      0.18181818873487916, 0.15384556654224758, 0.13336325770837926,
                      0.11674648714857582, 0.11990429442201414);
}

// 2/3 s^3 + s^5 (...): the rest of 2 atanh(s) after 2 s
template <class T, class A>
FELT_INLINE two<batch<T, A>> atanh_rest(two<batch<T, A>> s) {
    using B = batch<T, A>;
    constexpr T third = T(1) / T(3);
    constexpr T third_low = sizeof(T) == 4 ? T(-9.934107462565104e-9) : T(1.850371707708594e-17);
    auto const z = two_product(s.high, s.high);
    auto const cube = two_product(z.high, s.high);
    B const cube_low = cube.low + madd(z.high, B(T(3)) * s.low, z.low * s.high);
    auto const main = two_product(cube.high, B(2 * third));
    B const more = cube.high * z.high * atanh_tail(z.high);
    return {main.high,
            main.low + madd(cube.high, B(2 * third_low), cube_low * B(2 * third)) + more};
}

// log(x) for positive finite x: k ln 2 + 2 atanh(s)
template <class T, class A>
FELT_INLINE two<batch<T, A>> log_in_two(batch<T, A> x) {
    using B = batch<T, A>;
    auto const [k, f, biased] = split_any_for_log(x);
    auto const s = divided(f);
    auto const rest = atanh_rest(s);
    auto const a = two_sum(k * B(T(ln2_high<T>)), s.high + s.high);
    auto const b = two_sum(a.high, rest.high);
    return two_sum(b.high, madd(k, B(T(ln2_low<T>)), rest.low + s.low + s.low) + a.low + b.low);
}

// e^(high + low), down to the last subnormal number.
template <class T, class A>
FELT_INLINE batch<T, A> exp_of_two(two<batch<T, A>> x) {
    using B = batch<T, A>;
    B const limit(sizeof(T) == 4 ? T(110) : T(760));
    B const high = math::clip(x.high, B(T(0)) - limit, limit);
    B const low = math::select(math::abs(x.high) < limit, x.low, B(T(0)));
    B const n = madd(high, B(T(1.4426950408889634)), B(shifter<T>)) - B(shifter<T>);
    B const r = madd(n, B(T(-ln2_low<T>)), madd(n, B(T(-ln2_high<T>)), high)) + low;
    return scaled(B(T(1)) + expm1_of_remainder(r), n);
}

template <class T, class A>
FELT_INLINE batch<T, A> pow(batch<T, A> x, batch<T, A> y) {
    using B = batch<T, A>;
    B const zero(T(0)), one(T(1)), infinity(std::numeric_limits<T>::infinity());
    B const a = math::abs(x);
    auto l = log_in_two(a);
    l.high = math::select(a < infinity, l.high, a);  // infinity, NaN
    l.high = math::select(a > zero, l.high, a - infinity);
    auto product = two_product(l.high, y);
    product.low += l.low * y;
    B const magnitude = exp_of_two(product);

    auto const whole = xsimd::floor(y) == y;
    B const half = y * B(T(0.5));
    B const odd = math::select(whole & (xsimd::floor(half) != half), sign_bit(x), zero);
    B const nan(std::numeric_limits<T>::quiet_NaN());
    B const signed_ = math::select((x < zero) & (a < infinity) & !whole, nan, magnitude | odd);
    auto const is_one = (y == zero) | (x == one) | ((a == one) & (math::abs(y) == infinity));
    return math::select(is_one, one, signed_);
}

}  // namespace felt::inline FELT_ABI::math
