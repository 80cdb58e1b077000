// SPDX-License-Identifier: BSD-3-Clause
//
//     softplus(x)     = log(1 + e^x)     = max(x, 0) + log(1 + e^-|x|)
//     logaddexp(x, y) = log(e^x + e^y)   = max(x, y) + log(1 + e^-|x - y|)
//     silu(x)         = x sigmoid(x)     = x / (1 + e^-x)
//     elu(x, a)       = x if x > 0, else a (e^x - 1)
//     leaky_relu(x, s) = x if x > 0, else s x
//
// One text serves numbers and batches. The error is at most 2 ulp (softplus, elu), 2.5 (silu, as
// sigmoid's); of logaddexp 2 ulp of the larger of |x|, |y| and the result, for these may cancel.
// What would be subnormal may be 0, and silu is 0 below -88 (-709 for doubles).
#pragma once
#include <felt/core/math_class.hpp>
#include <felt/core/math_exp2.hpp>
#include <felt/core/math_log.hpp>

namespace felt::math {

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

template <std::floating_point T>
FELT_FN T silu(T x) {
    T const bounded = math::maximum(x, sizeof(T) == 4 ? T(-89) : T(-710));  // -infinity gives 0
    return bounded / (T(1) + std::exp(-bounded));
}
template <class T, class A>
FELT_INLINE batch<T, A> silu(batch<T, A> x) {
    using B = batch<T, A>;
    B const low(sizeof(T) == 4 ? T(-88) : T(-709)), high(sizeof(T) == 4 ? T(88) : T(709));
    B const y = x / exp_inside(B(T(0)) - xsimd::min(high, x), T(1));
    return math::select(x < low, B(T(-0.0)), y);
}

template <class X>
FELT_FN X elu(X x, X alpha) {
    return math::select(x > X(lane_t<X>(0)), x, alpha * math::expm1(x));
}
template <class X>
FELT_FN X leaky_relu(X x, X slope) {
    return math::select(x > X(lane_t<X>(0)), x, slope * x);
}

}  // namespace felt::math
