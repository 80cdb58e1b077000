// SPDX-License-Identifier: BSD-3-Clause
//
//     erf(x) = x + x P(x^2)              for |x| <  the bound
//            = sign(x) (1 - e^(-|x| G(|x|)))      beyond,   G(x) = -log(erfc(x)) / x
//
//     gelu(x) = x/2 (1 + erf(x / sqrt(2)))
//
// Over all floats the error of erf is at most 1.2 ulp; that of a double 1.5.
// gelu of a negative x has the absolute error of the sum, a rounding of x, not a relative one; the
// factor x is bounded by -40, where the sum is 0 already, so that gelu(-inf) is 0 and not a NaN.
#pragma once
#include <felt/core/math_exp.hpp>

namespace felt::inline FELT_ABI::math {

inline constexpr double root_half = 0.70710678118654752;

template <std::floating_point T>
FELT_FN T erf(T x) {
    return std::erf(x);
}
template <std::floating_point T>
FELT_FN T gelu(T x) {
    return T(0.5) * (x < T(-40) ? T(-40) : x) * (T(1) + std::erf(x * T(root_half)));
}

// P(z), z = x^2
template <class T, class A>
FELT_INLINE batch<T, A> erf_series(batch<T, A> z) {
    if constexpr (sizeof(T) == 4)
        return horner(z, 0.128379166642374, -0.37612633697402798, 0.11283693944752774,
                      -0.026859270884176707, 0.0052006344926078549, -8.1374392136557699e-4,
                      8.3452303727459909e-5);
    else
        return horner(z, 0.12837916709551257, -0.37612638903183547, 0.11283791670945253,
                      -0.026866170643276233, 0.0052239776074236217, -8.5483259897058534e-4,
                      1.2055295320815185e-4, -1.4924744670342448e-5, 1.6447517773201076e-6,
                      -1.6209176697240427e-7, 1.3722979850269633e-8, -7.8011958222979991e-10);
}

// G(x) up to the x where erf rounds to 1
template <class T, class A>
FELT_INLINE batch<T, A> erfc_exponent(batch<T, A> x) {
    if constexpr (sizeof(T) == 4)
        return horner(x, 1.1286521629689175, 0.63513590986942586, 0.10626315093582595,
                      -0.023785352323422732, 0.0036537670185660553, -3.256535466183003e-4,
                      1.1522386513113739e-5);
    else
        return horner(x, 1.12837911564646, 0.63662020924212937, 0.1027710099979213,
                      -0.019125439509158342, -2.1118558423244675e-4, 0.0016914912349428935,
                      -5.7354722823545963e-4, -1.831763107927561e-6, 9.6004625024903425e-5,
                      -5.6285531883820543e-5, 2.0444229087434683e-5, -5.4126167585093736e-6,
                      1.0843761163578661e-6, -1.6410486654104391e-7, 1.8267633202804238e-8,
                      -1.4143802435107798e-9, 6.8091046904128962e-11, -1.5349096324091836e-12);
}

template <class T, class A>
FELT_INLINE batch<T, A> erf(batch<T, A> x) {
    using B = batch<T, A>;
    B const bound(sizeof(T) == 4 ? T(0.93) : T(1)), one_from(sizeof(T) == 4 ? T(4) : T(6));
    B const a = min_or_second(one_from, math::abs(x));
    B const near = madd(a, erf_series(a * a), a);
    B const far = B(T(1)) - exp_inside(B(T(0)) - a * erfc_exponent(a), T(0));
    return math::select(a < bound, near, far) | sign_bit(x);
}

template <class T, class A>
FELT_INLINE batch<T, A> gelu(batch<T, A> x) {
    using B = batch<T, A>;
    B const bounded = max_or_second(B(T(-40)), x);
    return B(T(0.5)) * bounded * (B(T(1)) + math::erf(x * B(T(root_half))));
}

}  // namespace felt::inline FELT_ABI::math
