// SPDX-License-Identifier: BSD-3-Clause
//
//     softplus(x)     = log(1 + e^x)     = max(x, 0) + log(1 + e^-|x|)
//     logaddexp(x, y) = log(e^x + e^y)   = max(x, y) + log(1 + e^-|x - y|)
//     silu(x)         = x sigmoid(x)     = x / (1 + e^-x)
//     elu(x, a)       = x if x > 0, else a (e^x - 1)
//     leaky_relu(x, s) = x if x > 0, else s x
//
// One text serves numbers and batches but for silu. The error is at most 2 ulp (softplus, elu), 1.5
// (silu; 1.8 where there is no fma); of logaddexp 2 ulp of the larger of |x|, |y| and the result,
// for these may cancel. What would be subnormal may be 0, and silu is 0 below -88 (-709 for
// doubles).
#pragma once
#include <felt/core/math_class.hpp>
#include <felt/core/math_exp2.hpp>
#include <felt/core/math_log.hpp>

namespace felt::inline FELT_ABI::math {

template <class X>
FELT_FN X softplus(X x) {
    return math::maximum(x, X(lane_t<X>(0))) + math::log1p(math::exp(-math::abs(x)));
}

// Equal infinities have no difference.
template <class X>
FELT_FN X logaddexp(X x, X y) {
    X const distance = math::select(x == y, X(lane_t<X>(0)), math::abs(x - y));
    return math::maximum(x, y) + math::log1p(math::exp(-distance));
}

// An error of 1 + e^-x doubles in a quotient just below a power of two, so what that sum's rounding
// lost (low) goes into a step of Newton's. Beyond 88 (709) silu is x or 0.
template <std::floating_point T>
FELT_FN T silu(T x) {
    T const most = sizeof(T) == 4 ? T(88) : T(709);
    if (!(math::abs(x) <= most)) return x < T(0) ? T(-0.0) : x;
    T const e = std::exp(-x), sum = T(1) + e, of_e = sum - T(1), t = T(1) / sum, y = x * t;
    T const low = (T(1) - (sum - of_e)) + (e - of_e);
    return std::copysign(std::fma(t, std::fma(-y, sum, x) - y * low, y), x);
}
template <class T, class A>
FELT_INLINE batch<T, A> silu(batch<T, A> x) {
    using B = batch<T, A>;
    B const zero(T(0)), low(sizeof(T) == 4 ? T(-88) : T(-709)),
        bounded = min_or_second(zero - low, x);
    exp_sum<T, A> const sum = exp_plus_one(zero - bounded);
    B const t = B(T(1)) / sum.high, y = bounded * t;
    B const silu = madd(t, madd(zero - y, sum.high, bounded) - y * sum.low, y);
    return math::select(x < low, zero, math::select(x > zero - low, x, silu)) | sign_bit(x);
}

template <class X>
FELT_FN X elu(X x, X alpha) {
    return math::select(x > X(lane_t<X>(0)), x, alpha * math::expm1(x));
}
template <class X>
FELT_FN X leaky_relu(X x, X slope) {
    return math::select(x > X(lane_t<X>(0)), x, slope * x);
}

}  // namespace felt::inline FELT_ABI::math
