// SPDX-License-Identifier: BSD-3-Clause
//
// What the elementary functions are made of: fused multiply-add, polynomials, the bits of a number.
#pragma once
#include <felt/core/config.hpp>
#include <felt/core/xsimd.hpp>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace felt::inline FELT_ABI::math {

using xsimd::batch;

template <class X>
struct lane_of {
    using type = X;
};
template <class T, class A>
struct lane_of<batch<T, A>> {
    using type = T;
};

// A constant, since a device may not call what numeric_limits has.
template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();

// The scalar of which X is a batch, or X itself.
template <class X>
using lane_t = typename lane_of<X>::type;

// x * y + z. One rounding where the machine has the instruction: compilers contract a product and
// a sum only inside one expression, so it is spelled on registers; xsimd's fma for AVX-512 is not.
template <class T, class A>
FELT_INLINE batch<T, A> madd(batch<T, A> x, batch<T, A> y, batch<T, A> z) {
    using reg = typename batch<T, A>::register_type;
    constexpr bool by_register = std::is_floating_point_v<T> && requires(reg r) { reg(r * r + r); };
    if constexpr (by_register) return batch<T, A>(reg(x) * reg(y) + reg(z));
    else return xsimd::fma(x, y, z);
}

// c ? x : y. xsimd's, except for integers where 8.1 counts on the optimiser: without it, the
// intrinsics of AVX-512 are macros that take registers and no batches.
template <class T, class A>
FELT_INLINE batch<T, A> select(xsimd::batch_bool<T, A> c, batch<T, A> x, batch<T, A> y) {
    if constexpr (std::is_integral_v<T> && std::is_base_of_v<xsimd::avx512bw, A>) {
        typename batch<T, A>::register_type const a = x, b = y;
        typename xsimd::batch_bool<T, A>::register_type const m = c;
        if constexpr (sizeof(T) == 1) return _mm512_mask_blend_epi8(m, b, a);
        else if constexpr (sizeof(T) == 2) return _mm512_mask_blend_epi16(m, b, a);
        else if constexpr (sizeof(T) == 4) return _mm512_mask_blend_epi32(m, b, a);
        else return _mm512_mask_blend_epi64(m, b, a);
    } else {
        return xsimd::select(c, x, y);
    }
}

// c ? x : y for numbers, and for batches beside numbers: public, for functors that are called with
// both.
template <class X, class Y>
    requires(std::is_arithmetic_v<X> && std::is_arithmetic_v<Y>)
FELT_FN auto select(bool c, X x, Y y) {
    using T = std::common_type_t<X, Y>;
    return c ? static_cast<T>(x) : static_cast<T>(y);
}
template <class T, class A, class X, class Y>
    requires(std::is_arithmetic_v<X> || std::is_arithmetic_v<Y>)
FELT_INLINE batch<T, A> select(xsimd::batch_bool<T, A> c, X x, Y y) {
    auto const lanes = [](auto v) {
        if constexpr (std::is_arithmetic_v<decltype(v)>) return batch<T, A>(static_cast<T>(v));
        else return v;
    };
    return math::select(c, lanes(x), lanes(y));
}

template <std::floating_point T>
FELT_FN FELT_INLINE T madd(T x, T y, T z) {
    return x * y + z;
}

// c0 + x (c1 + x (c2 + ...))
template <class X>
FELT_FN FELT_INLINE X horner(X, double c) {
    return X(static_cast<lane_t<X>>(c));
}
template <class X, class... C>
FELT_FN FELT_INLINE X horner(X x, double c, C... more) {
    return madd(x, horner(x, more...), X(static_cast<lane_t<X>>(c)));
}

// A floating-point number is sign, exponent + bias, mantissa: its word.
template <class T>
struct format;
template <>
struct format<float> {
    using word = std::uint32_t;
    static constexpr int mantissa = 23, bias = 127;
};
template <>
struct format<double> {
    using word = std::uint64_t;
    static constexpr int mantissa = 52, bias = 1023;
};

template <class T, class A>
using word_batch = batch<typename format<T>::word, A>;

template <class T, class A>
FELT_INLINE word_batch<T, A> to_word(batch<T, A> x) {
    return std::bit_cast<word_batch<T, A>>(x);
}
template <class T, class A>
FELT_INLINE batch<T, A> from_word(word_batch<T, A> w) {
    return std::bit_cast<batch<T, A>>(w);
}

// Added to a number below 2^(mantissa - 2), it leaves the nearest integer in the low bits.
template <class T>
inline constexpr T shifter = T(3) * T(typename format<T>::word(1) << (format<T>::mantissa - 1));

// 2^k of a whole k between -bias and bias.
template <class T, class A>
FELT_INLINE batch<T, A> power_of_two(batch<T, A> k) {
    batch<T, A> const shifted = k + batch<T, A>(shifter<T> + T(format<T>::bias));
    return from_word<T, A>(to_word(shifted) << format<T>::mantissa);
}

// ln 2 in two parts; the products of the first with every exponent are exact.
template <class T>
inline constexpr double ln2_high = sizeof(T) == 4 ? 0.693359375 : 0x1.62e42feep-1;
template <class T>
inline constexpr double ln2_low = sizeof(T) == 4 ? -2.1219444005469058e-4 : 1.9082149292705878e-10;

template <class T, class A>
FELT_INLINE batch<T, A> sign_bit(batch<T, A> x) {
    return x & batch<T, A>(T(-0.0));
}

namespace detail {
// y[l] = f(x[l], ..) where done[l] is 0.
template <class F, class T, class... X>
[[gnu::noinline]] void by_numbers(F const& f, int lanes, T const* done, T* y, X const*... x) {
    for (int l = 0; l < lanes; ++l) {
        if (done[l] == T(0)) y[l] = f(x[l]...);
    }
}
}  // namespace detail

// y where c holds, else f of the numbers: for lanes that are seldom and expensive.
template <class F, class T, class A, class... X>
FELT_INLINE batch<T, A> or_by_numbers(xsimd::batch_bool<T, A> c, batch<T, A> y, F const& f,
                                      X const&... x) {
    if (xsimd::all(c)) return y;
    constexpr int W = static_cast<int>(batch<T, A>::size);
    struct alignas(64) array {
        T v[W];
        explicit array(batch<T, A> const& b) { b.store_aligned(v); }
    };
    array result(y);
    detail::by_numbers(f, W, array(math::select(c, batch<T, A>(T(1)), batch<T, A>(T(0)))).v,
                       result.v, array(x).v...);
    return batch<T, A>::load_aligned(result.v);
}

}  // namespace felt::inline FELT_ABI::math
