// SPDX-License-Identifier: BSD-3-Clause
//
// convert<To>(lanes): lanes of another type, batch by batch where a processor has that; and
// functions that run lane by lane.
#pragma once
#include <felt/host/lanes.hpp>

namespace felt::inline FELT_ABI::host {

// The lanes as an array. Read through a pointer into the registers they would alias them.
template <class T, int N>
struct spilled {
    alignas(64) T v[N];

    FELT_INLINE explicit spilled(lanes<T, N> const& x) { x.store(v, full{}); }
};

// A functor that only knows numbers, or an operation no batch has, runs lane by lane.
template <class R, int N, class F, class... X>
FELT_INLINE lanes<R, N> one_by_one(F const& f, lanes<X, N> const&... x) {
    alignas(64) R out[N];
    [&](spilled<X, N> const&... in) {
        for (int l = 0; l < N; ++l) out[l] = felt::detail::number_as<R>(f(in.v[l]...));
    }(spilled<X, N>(x)...);
    return lanes<R, N>::load(out, full{});
}

namespace detail {

template <int N>
struct words_of_floats {
    using word = std::conditional_t<(N > 0), std::uint32_t, float>;  // dependent, for g++ 12
    using type [[gnu::vector_size(4 * batch_size<float>)]] = word;
};
template <int N>
FELT_INLINE lanes<float, N> widened(lanes<bfloat16, N> const& x) {
    using wide = typename words_of_floats<N>::type;
    lanes<float, N> y;
    for (int k = 0; k < y.count; ++k) {
        wide const bits = FELT_WIDEN_16(wide, x.b[k]) << 16U;
        std::memcpy(static_cast<void*>(&y.b[k]), &bits, sizeof(bits));
    }
    return y;
}
template <int N>
FELT_INLINE lanes<bfloat16, N> rounded(lanes<float, N> const& x) {
    using wide = typename words_of_floats<N>::type;
    using piece = typename lanes<bfloat16, N>::piece;
    lanes<bfloat16, N> y;
    for (int k = 0; k < x.count; ++k) {
        wide bits;
        std::memcpy(&bits, &x.b[k], sizeof(bits));
        wide const even = (bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U;
        wide const nan = bits >> 16U | 0x40U;
        wide const chosen = (bits << 1U) > 0xFF000000U ? nan : even;
        y.b[k] = FELT_NARROW_32(piece, chosen);
    }
    return y;
}

}  // namespace detail

template <class To, int N, class From>
FELT_INLINE auto convert(lanes<From, N> const& x) {
    if constexpr (is_bfloat16<From>) {
        if constexpr (is_bfloat16<To>) return x;
        else if constexpr (std::is_same_v<To, float>) return detail::widened(x);
        else return convert<To>(detail::widened(x));
    } else if constexpr (is_bfloat16<To>) {
        if constexpr (std::is_same_v<From, float>) return detail::rounded(x);
        else return detail::rounded(convert<float>(x));
    } else if constexpr (is_complex<To> || is_complex<From>) {
        return one_by_one<To>([](From v) { return felt::detail::number_as<To>(v); }, x);
    } else if constexpr (std::is_same_v<To, bool>) {
        lane_mask<From, N> m;
        for (int k = 0; k < m.count; ++k) m.b[k] = !(x.b[k] == xsimd::batch<From>(From(0)));
        return m;
    } else {
        alignas(64) From in[N];
        alignas(64) To out[N];
        x.store(in, full{});
        for (int l = 0; l < N; ++l) out[l] = static_cast<To>(in[l]);
        return lanes<To, N>::load(out, full{});
    }
}
template <class To, int N>
FELT_INLINE lanes<To, N> convert(lanes<bool, N> const& x);
template <class To, int N, class U>
FELT_INLINE lanes<To, N> convert(lane_mask<U, N> const& x) {
    if constexpr (is_complex<To>) {
        return convert<To>(x.bytes());
    } else {
        auto const m = as_mask<To>(x);
        lanes<To, N> out;
        for (int k = 0; k < out.count; ++k) {
            out.b[k] = math::select(m.b[k], xsimd::batch<To>(To(1)), xsimd::batch<To>(To(0)));
        }
        return out;
    }
}
template <class To, int N>
FELT_INLINE lanes<To, N> convert(lanes<bool, N> const& x) {
    if constexpr (is_complex<To>) {
        return one_by_one<To>([](bool v) { return felt::detail::number_as<To>(v); }, x);
    } else {
        return convert<To>(as_mask<To>(x));
    }
}

}  // namespace felt::inline FELT_ABI::host
