// SPDX-License-Identifier: BSD-3-Clause
//
// The remainder of x / y without a rounding, and what belongs to it:
//
//     fmod(x, y)         = x - trunc(x / y) y     has the sign of x
//     remainder(x, y)    = x - floor(x / y) y     has the sign of y
//     floor_divide(x, y) = floor(x / y)
//
// Of integers they are 0 where y is 0, and the least number by -1 wraps, as in divide. A remainder
// of the second kind that falls on the other side of zero is rounded once, by the sum with y.
#pragma once
#include <felt/core/math_class.hpp>
#include <felt/core/math_divide.hpp>
#include <felt/core/math_two.hpp>

namespace felt::inline FELT_ABI::math {

template <number T>
FELT_FN T fmod(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::fmod(x, y);
    } else {
        if (y == 0 || (std::is_signed_v<T> && y == T(-1))) return T(0);
        return static_cast<T>(x % y);
    }
}

// Of |x| and |y|: the rounded quotient, cut off, is right or one too large. Beyond 2^mantissa, or
// where the parts of its product with y leave the range, numbers do it.
template <class T, class A>
FELT_INLINE batch<T, A> fmod_of_reals(batch<T, A> x, batch<T, A> y) {
    using B = batch<T, A>;
    using limits = std::numeric_limits<T>;
    constexpr T eps = limits::epsilon();
    B const a = math::abs(x), b = math::abs(y), zero(T(0));
    B const q = xsimd::trunc(a / b);
    auto const product = two_product(q, b);
    B const r = (a - product.high) - product.low;
    B const m = math::select(r < zero, r + b, math::select(r >= b, r - b, r));
    auto const inside = (q < B(T(0.5) / eps)) & (b >= B(limits::min() / eps / eps)) &
                        (a < B(limits::max() / 4)) & (b <= B(limits::max()));
    return or_by_numbers(inside, m | sign_bit(x), [](T v, T w) { return std::fmod(v, w); }, x, y);
}

template <class T, class A>
    requires divisible<batch<T, A>>
FELT_INLINE batch<T, A> fmod(batch<T, A> x, batch<T, A> y) {
    using B = batch<T, A>;
    if constexpr (std::is_floating_point_v<T>) {
        return fmod_of_reals(x, y);
    } else {
        B const zero(T(0));
        return math::select(y == zero, zero, x - math::divide(x, y) * y);
    }
}

namespace detail {
// 1 where m, not 0, lies on the other side of zero than y, else 0.
template <class X>
FELT_FN X on_other_side(X m, X y) {
    using T = lane_t<X>;
    X const zero(T(0)), one(T(1));
    if constexpr (!std::is_signed_v<T>) return zero;
    else return math::select(((y < zero) & (m > zero)) | ((y > zero) & (m < zero)), one, zero);
}
}  // namespace detail

template <divisible X>
FELT_FN X remainder(X x, X y) {
    X const zero(lane_t<X>(0)), m = math::fmod(x, y);
    X const s = math::select(detail::on_other_side(m, y) > zero, static_cast<X>(m + y), m);
    if constexpr (detail::is_real<X>) return math::select(m == zero, math::copysign(zero, y), s);
    else return s;
}

template <divisible X>
FELT_FN X floor_divide(X x, X y) {
    using T = lane_t<X>;
    X const m = math::fmod(x, y);
    if constexpr (!detail::is_real<X>) {
        return static_cast<X>(math::divide(x, y) - detail::on_other_side(m, y));
    } else {
        X const zero(T(0)), quotient = x / y;
        X const q = (x - m) / y - detail::on_other_side(m, y);  // whole, but for a rounding
        X const below = math::floor(q);
        X const whole = math::select(q - below > X(T(0.5)), below + X(T(1)), below);
        X const signed_ = math::select(q == zero, math::copysign(zero, quotient), whole);
        return math::select(y == zero, quotient, signed_);
    }
}

}  // namespace felt::inline FELT_ABI::math
