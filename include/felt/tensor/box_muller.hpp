// SPDX-License-Identifier: BSD-3-Clause
//
// Random words to numbers; a word is 32 bits for float and 64 bits for double, one or a batch:
//   uniform(w)        = the top 24 or 53 bits of w as a fraction of 1: exact, in [0, 1)
//   normal_pair(a, b) = sqrt(-2 log u) * (+-cos t, sin t), exchanged or not (Box and Muller), with
//                       u in (0, 1] from a and t in [-pi/4, pi/4) from b; the top bits of b, sign
//                       and exchange, turn that quarter of the circle to the other three
#pragma once
#include <felt/core/math_circle.hpp>
#include <felt/core/math_log.hpp>

namespace felt::inline FELT_ABI::detail {

template <class T>
struct random_bits;
template <>
struct random_bits<float> {
    static constexpr int width = 32, digits = 24;
    static constexpr int most = 31;  // that to_number takes, with one rounding
};
template <>
struct random_bits<double> {
    static constexpr int width = 64, digits = 53;
    static constexpr int most = 53;
};

FELT_FN float to_number(std::uint32_t w) {
    return static_cast<float>(static_cast<std::int32_t>(w));
}
FELT_FN double to_number(std::uint64_t w) { return static_cast<double>(w); }
template <class A>
FELT_INLINE xsimd::batch<float, A> to_number(xsimd::batch<std::uint32_t, A> w) {
    return xsimd::to_float(std::bit_cast<xsimd::batch<std::int32_t, A>>(w));
}
// The halves become the low bits of 2^84 and of 2^52, whose words are written here.
template <class A>
FELT_INLINE xsimd::batch<double, A> to_number(xsimd::batch<std::uint64_t, A> w) {
    using words = xsimd::batch<std::uint64_t, A>;
    using numbers = xsimd::batch<double, A>;
    auto const high = (w >> 32) | words(0x4530000000000000u);
    auto const low = (w & words(0xFFFFFFFFu)) | words(0x4330000000000000u);
    return (std::bit_cast<numbers>(high) - numbers(0x1p84 + 0x1p52)) + std::bit_cast<numbers>(low);
}

template <class To, class From>
FELT_FN To same_bits(From const& x) {
    return __builtin_bit_cast(To, x);
}

// 2^-n
template <class T>
FELT_FN T fraction(int n) {
    return T(1) / static_cast<T>(std::uint64_t{1} << n);
}

template <class W>
using number_t = decltype(to_number(W{}));

template <class W>
FELT_FN number_t<W> uniform(W w) {
    using V = number_t<W>;
    using T = math::lane_t<V>;
    using bits = random_bits<T>;
    return to_number(w >> (bits::width - bits::digits)) * V(fraction<T>(bits::digits));
}

// (k + 1/2) 2^-n for the top n bits k: never 0, and small values are as fine as n allows.
template <class W>
FELT_FN number_t<W> uniform_above_zero(W w) {
    using V = number_t<W>;
    using T = math::lane_t<V>;
    using bits = random_bits<T>;
    V const k = to_number(w >> (bits::width - bits::most));
    return (k + V(T(0.5))) * V(fraction<T>(bits::most));
}

// Two numbers from two words.
template <class W>
struct number_pair {
    number_t<W> first, second;
};

template <class W>
FELT_FN number_pair<W> normal_pair(W a, W b) {
    using V = number_t<W>;
    using T = math::lane_t<V>;
    constexpr int top = random_bits<T>::width - 1;
    V const radius = math::sqrt(math::log(uniform_above_zero(a)) * V(T(-2)));
    V const turn = (uniform(W(b << 2)) - V(T(0.5))) * V(T(0.25));
    W const c = same_bits<W>(V(radius * math::cos_of_turn(turn))) ^ ((b >> top) << top);
    W const s = same_bits<W>(V(radius * math::sin_of_turn(turn)));
    W const exchange = (c ^ s) & (W(0) - ((b >> (top - 1)) & W(1)));
    return {same_bits<V>(W(c ^ exchange)), same_bits<V>(W(s ^ exchange))};
}

// What a stream makes of a pair of words, and the number of the stream.
struct uniform_law {
    static constexpr std::uint32_t stream = 0;

    template <class W>
    static FELT_FN number_pair<W> pair(W a, W b) {
        return {uniform(a), uniform(b)};
    }
};
struct normal_law {
    static constexpr std::uint32_t stream = 1;

    template <class W>
    static FELT_FN number_pair<W> pair(W a, W b) {
        return normal_pair(a, b);
    }
};

}  // namespace felt::inline FELT_ABI::detail
