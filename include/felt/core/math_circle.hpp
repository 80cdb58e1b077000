// SPDX-License-Identifier: BSD-3-Clause
//
// sin(2 pi u) and cos(2 pi u) for u in [0, 1], the angle given in turns: u = q / 4 + r without a
// rounding, |r| <= 1/8, and then
//
//     sin(2 pi r) = 2 pi r + r^3 S(r^2)      cos(2 pi r) = 1 + r^2 C(r^2)
//
// Within 1 ulp with a fused multiply-add, 1.6 without; zeros are exact.
// One text serves numbers (on a device too) and batches: they differ by the rounding of madd alone.
#pragma once
#include <felt/core/math_batch.hpp>

namespace felt::inline FELT_ABI::math {

template <class X>
struct sin_cos {
    X sin, cos;
};

template <std::floating_point T>
FELT_FN FELT_INLINE T choose(bool condition, T x, T y) {
    return condition ? x : y;
}
template <class T, class A>
FELT_INLINE batch<T, A> choose(xsimd::batch_bool<T, A> condition, batch<T, A> x, batch<T, A> y) {
    return math::select(condition, x, y);
}

// Of two products that are added a compiler may round either; r s + 0 leaves it no choice.
template <class X>
FELT_FN FELT_INLINE X sin_of_turn(X r) {
    using T = lane_t<X>;
    X const z = r * r;
    if constexpr (sizeof(T) == 4) {
        X const s = horner(z, -1.74845560007e-7, -41.341702178039595, 81.60521050460571,
                           -76.698364187190101, 41.487007292560834);
        return madd(r, X(T(6.2831854820251465)), madd(r, s, X(T(0))));
    } else {
        X const s = horner(z, 2.4492935982947064e-16, -41.341702240399674, 81.60524927596769,
                           -76.705859708606423, 42.058685481317885, -15.093827691694024,
                           3.7813278212182516);
        return madd(r, X(T(6.283185307179586)), madd(r, s, X(T(0))));
    }
}

template <class X>
FELT_FN FELT_INLINE X cos_of_turn(X r) {
    X const z = r * r;
    if constexpr (sizeof(lane_t<X>) == 4)
        return horner(z, 1.0, -19.739208693220701, 64.939326268885469, -85.443715622590874,
                      59.244970654459519);
    else
        return horner(z, 1.0, -19.739208802178511, 64.939394022412262, -85.45681710067747,
                      60.244621186428603, -26.42431307679903, 7.8113861913705089);
}

// The quarter q in 0 .. 4 says which of the two is which, and their signs.
template <class X>
FELT_FN FELT_INLINE sin_cos<X> sincos_2pi(X u) {
    using T = lane_t<X>;
    X const shift(shifter<T>);
    X const q = (madd(u, X(T(4)), shift))-shift;
    X const r = u - q * X(T(0.25));
    X const s = sin_of_turn(r), c = cos_of_turn(r);
    auto const odd = (q == X(T(1))) | (q == X(T(3)));
    auto const lower = (q == X(T(2))) | (q == X(T(3)));  // sin is negated
    auto const left = (q == X(T(1))) | (q == X(T(2)));   // cos is negated
    X const sine = choose(odd, c, s), cosine = choose(odd, s, c);
    return {choose(lower, X(T(0)) - sine, sine), choose(left, X(T(0)) - cosine, cosine)};
}

}  // namespace felt::inline FELT_ABI::math
