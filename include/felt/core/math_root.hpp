// SPDX-License-Identifier: BSD-3-Clause
//
//     cbrt(x)     = 2^q cbrt(m),  x = 2^(3 q) m,  by Newton's steps  c - (c - m / c^2) / 3
//     rsqrt(x)    = 1 / sqrt(x)
//     hypot(x, y) = 2^k sqrt((2^-k x)^2 + (2^-k y)^2)
//
// The error seen in millions of samples is at most 0.9 ulp (cbrt), 1.5 (rsqrt), 1.3 (hypot).
#pragma once
#include <felt/core/math_log.hpp>

namespace felt::inline FELT_ABI::math {

// The standard library's is within 4 ulp only; one more step of Newton's.
template <std::floating_point T>
FELT_FN T cbrt(T x) {
    T const c = std::cbrt(x);
    bool const finite = x != T(0) && math::abs(x) < infinity<T>;
    return finite ? c - (c - x / (c * c)) * T(1.0 / 3) : c;
}
template <std::floating_point T>
FELT_FN T rsqrt(T x) {
    return T(1) / std::sqrt(x);
}
template <std::floating_point T>
FELT_FN T hypot(T x, T y) {
    return std::hypot(x, y);
}

template <class T, class A>
FELT_INLINE batch<T, A> cbrt(batch<T, A> x) {
    using B = batch<T, A>;
    B const a = math::abs(x), shift(shifter<T>), third(T(1.0 / 3)), one(T(1));
    auto const s = split_any_for_log(a);
    B const q = madd(s.k, third, shift) - shift, rest = madd(q, B(T(-3)), s.k);  // -1, 0, 1
    B const factor = math::select(rest > B(T(0)), B(T(1.2599210498948732)),
                                  math::select(rest < B(T(0)), B(T(0.79370052598409974)), one));
    B const m = (one + s.f) * power_of_two(rest);
    B c = factor * horner(s.f, 1.000006897291382, 0.33324306898082936, -0.1117299562383569,
                          0.065348340159795947, -0.036003195890459416);
    if constexpr (sizeof(T) == 8) c -= (c - m / (c * c)) * third;
    c -= (c - m / (c * c)) * third;
    auto const finite = (a > B(T(0))) & (a < B(infinity<T>));
    return math::select(finite, (c * power_of_two(q)) | sign_bit(x), x);
}

template <class T, class A>
FELT_INLINE batch<T, A> rsqrt(batch<T, A> x) {
    return batch<T, A>(T(1)) / xsimd::sqrt(x);
}

// The larger of the two has the exponent k; where that is subnormal, the least of a normal number.
template <class T, class A>
FELT_INLINE batch<T, A> hypot(batch<T, A> x, batch<T, A> y) {
    using B = batch<T, A>;
    using W = word_batch<T, A>;
    using limits = std::numeric_limits<T>;
    using word = typename format<T>::word;
    B const a = math::abs(x), b = math::abs(y), most(infinity<T>);
    B const within = math::clip(max_or_second(a, b), B(limits::min()), B(limits::max() / 4));
    W const exponent = to_word(within) & W(std::bit_cast<word>(infinity<T>));
    B const up = from_word<T, A>(exponent);
    B const down = from_word<T, A>(W(word(2 * format<T>::bias) << format<T>::mantissa) - exponent);
    B const p = a * down, q = b * down;
    B const root = up * xsimd::sqrt(madd(p, p, q * q));
    return math::select((a == most) | (b == most), most, root);
}

}  // namespace felt::inline FELT_ABI::math
