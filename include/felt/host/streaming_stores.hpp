// SPDX-License-Identifier: BSD-3-Clause
//
// Streaming stores: memory that is written as whole lines, past the caches. An ordinary store
// first reads the line that it writes to; a destination that no cache holds is spared that.
#pragma once
#include <felt/core/extents.hpp>
#include <felt/host/lanes.hpp>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

namespace felt::inline FELT_ABI::host {

namespace detail {

// A store of one batch to an address aligned for it; xsimd 8.1 has none that streams.
template <class A>
FELT_INLINE void store_streaming(float* to, xsimd::batch<float, A> const& x) {
    using lanes_type = typename xsimd::batch<float, A>::register_type;
    [[maybe_unused]] lanes_type const v = x;
    if constexpr (std::is_base_of_v<xsimd::avx512f, A>) _mm512_stream_ps(to, v);
    else if constexpr (std::is_base_of_v<xsimd::avx, A>) _mm256_stream_ps(to, v);
    else if constexpr (std::is_base_of_v<xsimd::sse2, A>) _mm_stream_ps(to, v);
    else x.store_aligned(to);
}

// Half a batch.
template <class A, class Piece>
FELT_INLINE void store_half_streaming(float* to, Piece const& x) {
    if constexpr (std::is_base_of_v<xsimd::avx512f, A>) {
        using half = std::conditional_t<(sizeof(Piece) > 0), xsimd::avx, A>;  // dependent
        typename xsimd::batch<float, half>::register_type v;
        std::memcpy(&v, &x, sizeof(x));
        _mm256_stream_ps(to, v);
    } else if constexpr (std::is_base_of_v<xsimd::avx, A>) {
        using half = std::conditional_t<(sizeof(Piece) > 0), xsimd::sse2, A>;
        typename xsimd::batch<float, half>::register_type v;
        std::memcpy(&v, &x, sizeof(x));
        _mm_stream_ps(to, v);
    } else {
        std::memcpy(static_cast<void*>(to), &x, sizeof(x));
    }
}

}  // namespace detail

// A register, of whatever type, to an address aligned for it.
template <class V>
FELT_INLINE void store_streaming_bits(void* to, V const& x) {
    xsimd::batch<float> bits;
    static_assert(sizeof(x) == sizeof(bits));
    std::memcpy(static_cast<void*>(&bits), &x, sizeof(bits));
    detail::store_streaming(static_cast<float*>(to), bits);
}

// Lanes to an address aligned for a batch.
template <class T, int N>
FELT_INLINE void store_streaming(T* to, lanes<T, N> const& x) {
    for (int k = 0; k < lanes<T, N>::count; ++k)
        store_streaming_bits(to + k * lanes<T, N>::width, x.b[k]);
}

template <int N>
FELT_INLINE void store_streaming(bfloat16* to, lanes<bfloat16, N> const& x) {
    using A = typename xsimd::batch<float>::arch_type;
    for (int k = 0; k < x.count; ++k)
        detail::store_half_streaming<A>(reinterpret_cast<float*>(to + k * x.width), x.b[k]);
}

// How many of n elements lie before the first line that begins at an address aligned for a batch.
template <class T>
index_t before_lines(T const* to, index_t n) {
    auto const past = reinterpret_cast<std::uintptr_t>(to) % sizeof(xsimd::batch<float>);
    if (past == 0) return 0;
    return std::min(n, static_cast<index_t>((sizeof(xsimd::batch<float>) - past) / sizeof(T)));
}

// Copies n elements. Loops that write so end with streaming_ends().
template <class T>
void copy_streaming(T* to, T const* from, index_t n) {
    using V = xsimd::batch<float>;
    constexpr std::size_t size = sizeof(V);
    auto* t = reinterpret_cast<char*>(to);
    auto const* f = reinterpret_cast<char const*>(from);
    auto left = static_cast<std::size_t>(n) * sizeof(T);
    auto const head = static_cast<std::size_t>(before_lines(t, static_cast<index_t>(left)));
    if (head > 0) std::memcpy(t, f, head);
    for (t += head, f += head, left -= head; left >= size; t += size, f += size, left -= size) {
        detail::store_streaming(reinterpret_cast<float*>(t),
                                V::load_unaligned(reinterpret_cast<float const*>(f)));
    }
    if (left > 0) std::memcpy(t, f, left);
}

// Streaming stores are not ordered with others until a fence.
inline void streaming_ends() { std::atomic_thread_fence(std::memory_order_seq_cst); }

}  // namespace felt::inline FELT_ABI::host
