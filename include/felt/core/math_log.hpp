// SPDX-License-Identifier: BSD-3-Clause
//
// x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); then with s = f / (2 + f)
//
//     log(1 + f) = 2 atanh(s) = f - f^2/2 + s (f^2/2 + s^2 R(s^2)),  R(z) = 2/3 + 2/5 z + ...
//     log(x)     = k ln 2 + log(1 + f)
//
// Over all floats, subnormal ones too, the error is at most 0.85 ulp (log), 1.35 (log1p).
#pragma once
#include <felt/core/math_basic.hpp>

namespace felt::inline FELT_ABI::math {

template <std::floating_point T>
FELT_FN T log(T x) {
    return std::log(x);
}
template <std::floating_point T>
FELT_FN T log1p(T x) {
    return std::log1p(x);
}

template <class T, class A>
struct split_power {
    batch<T, A> k, f;
    word_batch<T, A> biased;  // k + bias
};

// x is positive and normal.
template <class T, class A>
FELT_INLINE split_power<T, A> split_for_log(batch<T, A> x) {
    using W = word_batch<T, A>;
    using word = typename format<T>::word;
    constexpr int mantissa = format<T>::mantissa;
    constexpr word one = std::bit_cast<word>(T(1)), root = std::bit_cast<word>(T(0.70710678));
    constexpr T units = T(word(1) << mantissa);  // its word plus i is the number units + i
    W const w = to_word(x) + W(one - root);
    W const biased = w >> mantissa;
    return {from_word<T, A>(biased | W(std::bit_cast<word>(units))) -
                batch<T, A>(units + T(format<T>::bias)),
            from_word<T, A>((w & W((word(1) << mantissa) - 1)) + W(root)) - batch<T, A>(T(1)),
            biased};
}

// The same for subnormal x too.
template <class T, class A>
FELT_INLINE split_power<T, A> split_any_for_log(batch<T, A> x) {
    using B = batch<T, A>;
    constexpr int up = std::numeric_limits<T>::digits;
    auto const tiny = x < B(std::numeric_limits<T>::min());
    B const scaled = x * B(T(typename format<T>::word(1) << up));
    auto s = split_for_log(math::select(tiny, scaled, x));
    s.k -= math::select(tiny, B(T(up)), B(T(0)));
    return s;
}

// R(z), z = s^2
template <class T, class A>
FELT_INLINE batch<T, A> atanh_series(batch<T, A> z) {
    if constexpr (sizeof(T) == 4)
        return horner(z, 0.66666665641317418, 0.40000336214671494, 0.28537238596816375,
                      0.23583564010583437);
    else
        return horner(z, 0.66666666666667349, 0.39999999999411093, 0.28571428743263498,
                      0.22222198475856178, 0.18183569747932004, 0.15313903015648013,
                      0.14797510198728178);
}

// The logarithm, and what is small beside it.
template <class T, class A>
FELT_INLINE batch<T, A> log_of(batch<T, A> k, batch<T, A> f, batch<T, A> small) {
    using B = batch<T, A>;
    B const s = f / (B(T(2)) + f);
    B const z = s * s;
    B const half = B(T(0.5)) * f * f;
    B const rest = madd(s, madd(z, atanh_series(z), half), small);
    return madd(k, B(T(ln2_high<T>)), f - (half - rest));
}
template <class T, class A>
FELT_INLINE batch<T, A> log_of(batch<T, A> k, batch<T, A> f) {
    return log_of(k, f, k * batch<T, A>(T(ln2_low<T>)));
}

// The logarithm of x is y, except at the ends of the range.
template <class T, class A>
FELT_INLINE batch<T, A> log_limits(batch<T, A> x, batch<T, A> y) {
    using B = batch<T, A>;
    B const infinity(std::numeric_limits<T>::infinity());
    B const nan(std::numeric_limits<T>::quiet_NaN());
    B const edge = math::select(x == B(T(0)), B(T(0)) - infinity, nan);
    return math::select(x > B(T(0)), math::select(x < infinity, y, x), edge);
}

template <class T, class A>
FELT_INLINE batch<T, A> log(batch<T, A> x) {
    auto const s = split_any_for_log(x);
    return log_limits(x, log_of(s.k, s.f));
}

// 1 + x of u = 1 + x, rounded: f = 2^-k (1 + x) - 1 is taken from x where it has bits below u's.
template <class T, class A>
FELT_INLINE split_power<T, A> split_sum_for_log(batch<T, A> x, batch<T, A> u) {
    using B = batch<T, A>;
    using word = typename format<T>::word;
    auto s = split_for_log(u);
    word_batch<T, A> const negated = word_batch<T, A>(word(2 * format<T>::bias)) - s.biased;
    B const power = from_word<T, A>(negated << format<T>::mantissa);  // 2^-k
    B const exact = madd(power, x, power - B(T(1)));
    B const big(T(word(1) << std::numeric_limits<T>::digits));
    s.f = math::select(x < big, exact, s.f);
    return s;
}

template <class T, class A>
FELT_INLINE batch<T, A> log1p(batch<T, A> x) {
    batch<T, A> const u = batch<T, A>(T(1)) + x;
    auto const s = split_sum_for_log(x, u);
    return log_limits(u, log_of(s.k, s.f)) | sign_bit(x);
}

}  // namespace felt::inline FELT_ABI::math
