// SPDX-License-Identifier: BSD-3-Clause
//
// erfc(x) = 1 - erf(x), without the cancellation where it is small: from a = |x| = 0.35 on
//
//     erfc(a) = e^(-a^2) F(u) / (1 + 2 a),  u = (a - c) / (a + c),      erfc(-a) = 2 - erfc(a)
//
// (Shepherd and Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x <
// infinity", 1981). The square, F and the quotient are sums of two numbers. The error seen in
// millions of samples is at most 2 ulp for batches; that of a double alone is the standard
// library's, up to 5.
#pragma once
#include <felt/core/math_erf.hpp>
#include <felt/core/math_pow.hpp>

namespace felt::inline FELT_ABI::math {

template <std::floating_point T>
FELT_FN T erfc(T x) {
    return static_cast<T>(std::erfc(double(x)));
}

// F(u)
template <class T, class A>
FELT_INLINE two<batch<T, A>> scaled_erfc(batch<T, A> u) {
    using B = batch<T, A>;
    if constexpr (sizeof(T) == 4)
        return two_sum(
            B(T(1.2769783820924883)),
            u * horner(u, -0.092763798499765225, -0.16603046781235829, 0.16405009526106321,
                       -0.054218565376568013, -0.0080198380690200114, 0.0087123963812949953,
                       0.0012007284721070632, -0.0014262749779977621, -0.00029413842599343093,
                       0.00017204468519570837));
    else
        return two_sum(
            B(T(1.2648381843668615)),
            u * horner(u, -0.12235676308240428, -0.09902453957360249, 0.1576299190232147,
                       -0.10296705603851772, 0.032760893268828865, 0.00093189281569697927,
                       -0.0043820783436761488, 0.00049186583776208748, 0.00063212437700377052,
                       -8.8479454018897564e-5, -0.00011352259281878188, 6.2671777921103957e-6,
                       2.2700588130960978e-5, 2.6049833273497703e-6, -4.2206645859332537e-6,
                       -1.576520619583679e-6, 5.3295588643030371e-7, 5.2091172208711397e-7,
                       2.4493729333399898e-8, -1.1428212077227766e-7, -3.2520742953120366e-8,
                       1.3331892505495636e-8, 6.0423651956036942e-9));
}

// F(u) / (1 + 2 a); the second part is what the division and the sums left over.
template <class T, class A>
FELT_INLINE two<batch<T, A>> erfc_factor(batch<T, A> a) {
    using B = batch<T, A>;
    B const centre(sizeof(T) == 4 ? T(2) : T(2.5)), one(T(1));
    auto const f = scaled_erfc((a - centre) / (a + centre));
    auto const d = two_sum_of_any(a + a, one);
    B const q = f.high / d.high;
    auto const back = two_product(q, d.high);
    return {q, (((f.high - back.high) - back.low) + (f.low - q * d.low)) / d.high};
}

// Beyond 10.1 (27.3) the result is 0.
template <class T, class A>
FELT_INLINE batch<T, A> erfc(batch<T, A> x) {
    using B = batch<T, A>;
    B const one(T(1)), zero(T(0)), shift(shifter<T>);
    B const a = min_or_second(B(sizeof(T) == 4 ? T(10.2) : T(27.4)), math::abs(x));
    auto const square = two_product(a, a);
    B const n = madd(square.high, B(T(-1.4426950408889634)), shift) - shift;
    B const high = madd(n, B(T(-ln2_high<T>)), zero - square.high);
    B const low = madd(n, B(T(-ln2_low<T>)), zero - square.low);
    B const r = high + low;
    auto const factor = erfc_factor(a);
    B const rest = madd(factor.high, madd(r * r, expm1_series(r), low), factor.low);
    B const product = factor.high + madd(factor.high, high, rest);
    B const far = scaled(product, n);
    B const near = one - math::erf(x);
    return math::select(a < B(T(0.35)), near, math::select(x < zero, B(T(2)) - far, far));
}

}  // namespace felt::inline FELT_ABI::math
