// SPDX-License-Identifier: BSD-3-Clause
//
// What kind of number x is, its sign and its neighbours. One text serves numbers and batches of
// them; conditions are bool, or a batch of it. An integer is finite.
#pragma once
#include <felt/core/math_basic.hpp>

namespace felt::inline FELT_ABI::math {

template <std::floating_point T>
FELT_FN T copysign(T x, T y) {
    return std::copysign(x, y);
}
template <std::floating_point T>
FELT_FN T nextafter(T x, T y) {
    return std::nextafter(x, y);
}

template <class T, class A>
FELT_INLINE batch<T, A> copysign(batch<T, A> x, batch<T, A> y) {
    return math::abs(x) | sign_bit(y);
}

// The word of a number is one more than that of the number before it, seen from zero.
template <class T, class A>
FELT_INLINE batch<T, A> nextafter(batch<T, A> x, batch<T, A> y) {
    using B = batch<T, A>;
    using W = word_batch<T, A>;
    B const zero(T(0)), least(std::numeric_limits<T>::denorm_min());
    B const outer = from_word<T, A>(to_word(x) + W(1)), inner = from_word<T, A>(to_word(x) - W(1));
    auto const outwards = ((x < y) & (x > zero)) | ((x > y) & (x < zero));
    B const next =
        math::select(x == zero, least | sign_bit(y), math::select(outwards, outer, inner));
    return math::select((x == x) & (y == y), math::select(x == y, y, next), x + y);
}

namespace detail {
template <class X>
inline constexpr bool is_real = std::is_floating_point_v<lane_t<X>>;

// The same for every x.
template <class X>
FELT_FN auto always(X x, bool answer) {
    return answer ? x <= x : x < x;
}
}  // namespace detail

template <class X>
FELT_FN auto isnan(X x) {
    if constexpr (detail::is_real<X>) return !(x == x);
    else return detail::always(x, false);
}
template <class X>
FELT_FN auto isinf(X x) {
    if constexpr (detail::is_real<X>) return math::abs(x) == X(infinity<lane_t<X>>);
    else return detail::always(x, false);
}
template <class X>
FELT_FN auto isfinite(X x) {
    if constexpr (detail::is_real<X>) return math::abs(x) < X(infinity<lane_t<X>>);
    else return detail::always(x, true);
}

template <class X>
FELT_FN auto signbit(X x) {
    using T = lane_t<X>;
    if constexpr (detail::is_real<X>) return math::copysign(X(T(1)), x) < X(T(0));
    else if constexpr (std::is_signed_v<T>) return x < X(T(0));
    else return detail::always(x, false);
}

template <class X>
FELT_FN X nan_to_num(X x, X nan, X above, X below) {
    if constexpr (detail::is_real<X>) {
        X const most(infinity<lane_t<X>>);
        X const low = math::select(x == -most, below, math::select(x == x, x, nan));
        return math::select(x == most, above, low);
    } else {
        return x;
    }
}

}  // namespace felt::inline FELT_ABI::math
