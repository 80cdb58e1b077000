// SPDX-License-Identifier: BSD-3-Clause
//
// e^x = 2^n e^r with n = round(x / ln 2), r = x - n ln 2, |r| <= ln 2 / 2, and
//
//     sigmoid(x) = 1 / (1 + e^-x)
//     tanh(x)    = x + x^3 P(x^2)                          for |x| < 0.625
//                = sign(x) (1 - 2 / (1 + e^(2 |x|)))       beyond
//
// Over all floats the error is at most 1.01 ulp (exp), 1.2 (tanh), 2.45 (sigmoid; 2.3 for doubles).
// What would be subnormal is 0 (exp) or may be (sigmoid).
#pragma once
#include <felt/core/math_basic.hpp>

namespace felt::inline FELT_ABI::math {

template <std::floating_point T>
FELT_FN T exp(T x) {
    return std::exp(x);
}
template <std::floating_point T>
FELT_FN T tanh(T x) {
    return std::tanh(x);
}
template <std::floating_point T>
FELT_FN T sigmoid(T x) {
    return T(1) / (T(1) + std::exp(-x));
}

// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2
template <class T, class A>
FELT_INLINE batch<T, A> expm1_series(batch<T, A> r) {
    if constexpr (sizeof(T) == 4)
        return horner(r, 0.49999993432792314, 0.16666520396929739, 0.041668390593860928,
                      0.0083687453137922392, 0.0013814551647011686);
    else
        return horner(r, 0.50000000000000107, 0.16666666666666412, 0.041666666666529729,
                      0.0083333333334949804, 0.0013888888943759892, 1.9841269505766042e-4,
                      2.4801492949664955e-5, 2.755758681128251e-6, 2.7630306247924293e-7,
                      2.5000016377792861e-8);
}

// e^r - 1; its relative error is that of a rounding, for the smallest r too.
template <class T, class A>
FELT_INLINE batch<T, A> expm1_of_remainder(batch<T, A> r) {
    return madd(r * r, expm1_series(r), r);
}

template <class T, class A>
struct split_exponent {
    word_batch<T, A> power;  // n + offset, in the place of an exponent
    batch<T, A> r;
};

template <class T, class A>
FELT_INLINE split_exponent<T, A> split_for_exp(batch<T, A> x, int offset) {
    using B = batch<T, A>;
    B const shift(shifter<T> + T(offset));
    B const shifted = madd(x, B(T(1.4426950408889634)), shift);
    B const n = shifted - shift;
    B const r = madd(n, B(T(-ln2_low<T>)), madd(n, B(T(-ln2_high<T>)), x));
    return {to_word(shifted) << format<T>::mantissa, r};
}

// 2^n e^r is normal where n + bias lies in 1 .. 2 bias; at the ends of that range the factor 2^n
// alone may not be, so n is added to the exponent of e^r.
template <class T, class A>
FELT_INLINE batch<T, A> exp(batch<T, A> x) {
    using B = batch<T, A>;
    constexpr T smallest = sizeof(T) == 4 ? T(-0x1.5d589ep+6) : T(-0x1.6232bdd7abcd2p+9);
    constexpr T largest = sizeof(T) == 4 ? T(0x1.62e42ep+6) : T(0x1.62e42fefa39efp+9);
    auto const [power, r] = split_for_exp(x, 0);
    B const p = B(T(1)) + expm1_of_remainder(r);
    B const y = from_word<T, A>(to_word(p) + power);
    B const bounded = math::select(x <= B(largest), y, x + B(std::numeric_limits<T>::infinity()));
    return math::select(x < B(smallest), B(T(0)), bounded);
}

// e^x + offset for |x| well inside the normal range; 0 + offset where n is -bias.
template <class T, class A>
FELT_INLINE batch<T, A> exp_inside(batch<T, A> x, T offset) {
    using B = batch<T, A>;
    auto const [power, r] = split_for_exp(x, format<T>::bias);
    B const scale = from_word<T, A>(power);
    return madd(scale, expm1_of_remainder(r), scale + B(offset));
}

// 1 + e^x = high + low, |x| as above; |low| is at most half a unit in high's last place.
template <class T, class A>
struct exp_sum {
    batch<T, A> high, low;
};

template <class T, class A>
FELT_INLINE exp_sum<T, A> exp_plus_one(batch<T, A> x) {
    using B = batch<T, A>;
    B const one(T(1));
    auto const [power, r] = split_for_exp(x, format<T>::bias);
    B const scale = from_word<T, A>(power), rest = expm1_of_remainder(r), base = scale + one;
    B const high = madd(scale, rest, base);
    return {high, madd(scale, rest, base - high) + (one - (base - scale))};
}

template <class T, class A>
FELT_INLINE batch<T, A> sigmoid(batch<T, A> x) {
    using B = batch<T, A>;
    B const low(sizeof(T) == 4 ? T(-88) : T(-709)), high(sizeof(T) == 4 ? T(88) : T(709));
    B const y = B(T(1)) / exp_inside(B(T(0)) - min_or_second(high, x), T(1));
    return math::select(x < low, B(T(0)), y);
}

// (tanh(x) / x - 1) / x^2, z = x^2
template <class T, class A>
FELT_INLINE batch<T, A> tanh_series(batch<T, A> z) {
    if constexpr (sizeof(T) == 4)
        return horner(z, -0.33333283701104311, 0.13331484718444218, -0.053742913692960538,
                      0.020648573993204829, -0.0057146864447505904);
    else
        return horner(z, -0.33333333333332873, 0.13333333333264282, -0.053968253932187641,
                      0.021869487595217294, -0.0088632212308939387, 0.0035919908579365346,
                      -0.0014549668150735521, 5.8634048123735912e-4, -2.2860892794260139e-4,
                      7.7191462262004226e-5, -1.6093948902551622e-5);
}

// From 10 (20) on tanh rounds to 1.
template <class T, class A>
FELT_INLINE batch<T, A> tanh(batch<T, A> x) {
    using B = batch<T, A>;
    B const one(T(1)), two(T(2));
    B const a = min_or_second(B(sizeof(T) == 4 ? T(10) : T(20)), math::abs(x));
    B const z = a * a;
    B const near = madd(a * z, tanh_series(z), a);
    B const far = one - two / exp_inside(a + a, T(1));
    return math::select(a < B(T(0.625)), near, far) | sign_bit(x);
}

}  // namespace felt::inline FELT_ABI::math
