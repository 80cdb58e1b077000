// SPDX-License-Identifier: BSD-3-Clause
//
// log_b(x) = k log_b(2) + log(1 + f) / ln b  for b = 2 and 10; k and f as for log. The product
// with 1 / ln b would round log(1 + f) twice, so that is kept in two parts, of which the first has
// so few bits that its product is exact, as in fdlibm's e_log2.c.
// The error seen in millions of samples is at most 0.8 ulp (log2), 0.9 (log10).
#pragma once
#include <felt/core/math_log.hpp>
#include <felt/core/math_two.hpp>

namespace felt::inline FELT_ABI::math {

template <std::floating_point T>
FELT_FN T log2(T x) {
    return std::log2(x);
}
template <std::floating_point T>
FELT_FN T log10(T x) {
    return std::log10(x);
}

// 1 / ln b and log_b(2) in two parts, the first of half the bits.
struct base {
    double inverse, inverse_low, unit, unit_low;
};
template <class T>
inline constexpr base base_2 = sizeof(T) == 4 ? base{0x1.716p+0, -1.7605285393074155e-4, 1, 0}
                                              : base{0x1.7154768p+0, -1.0542692476429138e-8, 1, 0};
template <class T>
inline constexpr base base_10 =
    sizeof(T) == 4
        ? base{0x1.bccp-2, -3.1689971365267411e-5, 0x1.344p-2, 4.6050390665186569e-6}
        : base{0x1.bcb7b18p-2, -2.6524694553078553e-9, 0x1.344135p-2, 5.801722962879576e-10};

template <class T, class A>
FELT_INLINE batch<T, A> log_to(base b, batch<T, A> x) {
    using B = batch<T, A>;
    auto const [k, f, biased] = split_any_for_log(x);
    B const s = f / (B(T(2)) + f);
    B const z = s * s;
    B const half = B(T(0.5)) * f * f;
    B const high = halves(f - half).high;
    B const low = ((f - high) - half) + s * madd(z, atanh_series(z), half);
    auto const sum = two_sum(k * B(T(b.unit)), high * B(T(b.inverse)));
    B const rest =
        madd(low, B(T(b.inverse)), madd(low + high, B(T(b.inverse_low)), k * B(T(b.unit_low))));
    return log_limits(x, sum.high + (sum.low + rest));
}

template <class T, class A>
FELT_INLINE batch<T, A> log2(batch<T, A> x) {
    return log_to(base_2<T>, x);
}
template <class T, class A>
FELT_INLINE batch<T, A> log10(batch<T, A> x) {
    return log_to(base_10<T>, x);
}

}  // namespace felt::inline FELT_ABI::math
