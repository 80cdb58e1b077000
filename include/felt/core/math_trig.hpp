// SPDX-License-Identifier: BSD-3-Clause
//
// x = n pi/2 + r, |r| <= pi/4, and with h + l = r as a sum of two numbers and z = h^2
//
//     sin(r) = h + (h z S(z) + l (1 - z / 2))        cos(r) = 1 - z / 2 + (z^2 C(z) - h l)
//
// as in fdlibm. pi/2 is taken in four parts, and n times each of the first three is exact, for |x|
// up to 6400 (float) or 1.6e6 (double). Larger x go to the standard library, lane by lane.
// The error seen in millions of samples is at most 0.8 ulp (sin, cos), 1.5 (tan).
#pragma once
#include <felt/core/math_basic.hpp>
#include <felt/core/math_two.hpp>

namespace felt::inline FELT_ABI::math {

template <std::floating_point T>
FELT_FN T sin(T x) {
    return std::sin(x);
}
template <std::floating_point T>
FELT_FN T cos(T x) {
    return std::cos(x);
}
template <std::floating_point T>
FELT_FN T tan(T x) {
    return std::tan(x);
}

template <class T>
inline constexpr T most_for_sin = sizeof(T) == 4 ? T(6400) : T(1.6e6);
template <class T>
inline constexpr double half_pi[4] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                                      0x1.b839a252049c1p-104};
template <>
inline constexpr double half_pi<float>[4] = {0x1.922p+0, -0x1.2aep-18, -0x1.deap-31,
                                             0x1.184698p-44};

template <class T, class A>
struct quarter_turns {
    batch<T, A> n;  // modulo 4, in -2 .. 2
    two<batch<T, A>> r;
};
template <class T, class A>
FELT_INLINE quarter_turns<T, A> split_for_sin(batch<T, A> x) {
    using B = batch<T, A>;
    B const shift(shifter<T>);
    auto const part = [](int i) { return B(T(-half_pi<T>[i])); };
    B const n = madd(x, B(T(0.63661977236758134)), shift) - shift;
    auto const second = two_sum_of_any(madd(n, part(0), x), n * part(1));
    auto const third = two_sum_of_any(second.high, n * part(2));
    B const whole = madd(n, B(T(0.25)), shift) - shift;
    return {madd(whole, B(T(-4)), n),
            two_sum(third.high, madd(n, part(3), second.low + third.low))};
}

// Each as a large and a small part, not yet added.
template <class T, class A>
FELT_INLINE two<batch<T, A>> sin_of_remainder(two<batch<T, A>> r) {
    using B = batch<T, A>;
    B const z = r.high * r.high, low = r.low * madd(z, B(T(-0.5)), B(T(1)));
    if constexpr (sizeof(T) == 4)
        return {r.high, madd(r.high * z,
                             horner(z, -0.16666666663832764, 0.008333331865959414,
                                    -1.9840082012765537e-4, 2.7249314054698805e-6),
                             low)};
    else
        return {r.high,
                madd(r.high * z,
                     horner(z, -0.16666666666666667, 0.0083333333333333315, -1.9841269841265017e-4,
                            2.7557319219301919e-6, -2.5052106219521894e-8, 1.6058529572267876e-10,
                            -7.5865765881710725e-13),
                     low)};
}
template <class T, class A>
FELT_INLINE two<batch<T, A>> cos_of_remainder(two<batch<T, A>> r) {
    using B = batch<T, A>;
    B const z = r.high * r.high, half = B(T(0.5)) * z, one(T(1));
    B const most = one - half, low = ((one - most) - half) - r.high * r.low;
    if constexpr (sizeof(T) == 4)
        return {most, madd(z * z,
                           horner(z, 0.041666666664302406, -0.001388888766471362,
                                  2.4800596435621997e-5, -2.7300448619488355e-7),
                           low)};
    else
        return {most,
                madd(z * z,
                     horner(z, 0.041666666666666665, -0.0013888888888887382, 2.4801587298743069e-5,
                            -2.7557317260008838e-7, 2.0876143827993132e-9, -1.1382456778061306e-11),
                     low)};
}

template <class T, class A>
FELT_INLINE batch<T, A> sin(batch<T, A> x) {
    using B = batch<T, A>;
    auto const [n, r] = split_for_sin(x);
    B const turns = math::abs(n), one(T(1)), zero(T(0));
    auto const s = math::select(turns == one, cos_of_remainder(r), sin_of_remainder(r));
    B const y = s.high + s.low;
    B const turned = math::select((n == B(T(-1))) | (turns > one), zero - y, y);
    B const exact = math::select(math::abs(x) < B(std::numeric_limits<T>::epsilon()), x, turned);
    return or_by_numbers(
        math::abs(x) <= B(most_for_sin<T>), exact, [](T v) { return std::sin(v); }, x);
}

template <class T, class A>
FELT_INLINE batch<T, A> cos(batch<T, A> x) {
    using B = batch<T, A>;
    auto const [n, r] = split_for_sin(x);
    B const turns = math::abs(n), one(T(1)), zero(T(0));
    auto const s = math::select(turns == one, sin_of_remainder(r), cos_of_remainder(r));
    B const y = s.high + s.low;
    B const turned = math::select((n == one) | (turns > one), zero - y, y);
    return or_by_numbers(
        math::abs(x) <= B(most_for_sin<T>), turned, [](T v) { return std::cos(v); }, x);
}

// sin / cos, or -cos / sin, and what their roundings change in it.
template <class T, class A>
FELT_INLINE batch<T, A> tan(batch<T, A> x) {
    using B = batch<T, A>;
    auto const [n, r] = split_for_sin(x);
    auto const odd = math::abs(n) == B(T(1));
    auto const s = sin_of_remainder(r), c = cos_of_remainder(r);
    auto const p = math::select(odd, two<B>{B(T(0)) - c.high, B(T(0)) - c.low}, s);
    auto const q = math::select(odd, s, c);
    auto const above = two_sum(p.high, p.low), below = two_sum(q.high, q.low);
    B const y = above.high / below.high;
    B const better = y + (above.low - y * below.low) / below.high;
    B const exact = math::select(math::abs(x) < B(std::numeric_limits<T>::epsilon()), x, better);
    return or_by_numbers(
        math::abs(x) <= B(most_for_sin<T>), exact, [](T v) { return std::tan(v); }, x);
}

}  // namespace felt::inline FELT_ABI::math
