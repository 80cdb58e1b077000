// SPDX-License-Identifier: BSD-3-Clause
//
// Philox 4x32-10: a counter of four words and a key of two become four random words, by ten rounds
// (w0, w1, w2, w3) -> (hi(m2 w2) ^ w1 ^ k0, lo(m2 w2), hi(m0 w0) ^ w3 ^ k1, lo(m0 w0)).
// Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3. SC 2011.
#pragma once
#include <felt/core/math_batch.hpp>
#include <cstdint>

namespace felt::inline FELT_ABI::detail {

struct philox_constants {
    static constexpr int rounds = 10;
    static constexpr std::uint64_t m0 = 0xD2511F53, m2 = 0xCD9E8D57;
    static constexpr std::uint32_t step0 = 0x9E3779B9, step1 = 0xBB67AE85;
};

struct philox_block {
    std::uint32_t word[4];
};

FELT_FN std::uint32_t low_half(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
FELT_FN std::uint32_t high_half(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

FELT_FN philox_block philox(philox_block counter, std::uint64_t key) {
    using c = philox_constants;
    std::uint32_t k0 = low_half(key), k1 = high_half(key);
    auto& w = counter.word;
    for (int round = 0; round < c::rounds; ++round) {
        std::uint64_t const p0 = c::m0 * w[0], p2 = c::m2 * w[2];
        w[0] = high_half(p2) ^ w[1] ^ k0;
        w[1] = low_half(p2);
        w[2] = high_half(p0) ^ w[3] ^ k1;
        w[3] = low_half(p0);
        k0 += c::step0;
        k1 += c::step1;
    }
    return counter;
}

// The block of a stream: the counter is (low half of n, high half of n, stream, 0).
FELT_FN philox_block philox(std::uint64_t n, std::uint32_t stream, std::uint64_t key) {
    return philox(philox_block{{low_half(n), high_half(n), stream, 0}}, key);
}

template <class A>
using lanes64 = xsimd::batch<std::uint64_t, A>;

// The product of the low halves, all 64 bits of it. xsimd has no name for this instruction; the
// register arguments depend on A, so that only the chosen function must exist on a machine.
template <class A>
FELT_INLINE lanes64<A> wide_product(lanes64<A> const& a, lanes64<A> const& b, xsimd::avx512f) {
    return _mm512_mul_epu32(a, b);
}
template <class A>
FELT_INLINE lanes64<A> wide_product(lanes64<A> const& a, lanes64<A> const& b, xsimd::avx2) {
    return _mm256_mul_epu32(a, b);
}
template <class A>
FELT_INLINE lanes64<A> wide_product(lanes64<A> const& a, lanes64<A> const& b, xsimd::sse2) {
    return _mm_mul_epu32(a, b);
}
template <class A>
FELT_INLINE lanes64<A> wide_product(lanes64<A> const& a, lanes64<A> const& b, any_arch) {
    lanes64<A> const low(0xFFFFFFFFu);
    return (a & low) * (b & low);
}

// One block in each 64-bit lane. Only the low half of a lane counts: what the rounds leave in the
// high halves never reaches a product.
template <class A>
struct philox_lanes {
    lanes64<A> word[4];
};

template <class A>
FELT_INLINE philox_lanes<A> philox(lanes64<A> n, std::uint32_t stream, std::uint64_t key) {
    using c = philox_constants;
    lanes64<A> const m0(c::m0), m2(c::m2);
    lanes64<A> w0 = n, w1 = n >> 32, w2(std::uint64_t{stream}), w3(std::uint64_t{0});
    std::uint64_t k0 = low_half(key), k1 = high_half(key);
    for (int round = 0; round < c::rounds; ++round) {
        lanes64<A> const p0 = wide_product(w0, m0, A{}), p2 = wide_product(w2, m2, A{});
        w0 = (p2 >> 32) ^ w1 ^ lanes64<A>(k0);
        w2 = (p0 >> 32) ^ w3 ^ lanes64<A>(k1);
        w1 = p2;
        w3 = p0;
        k0 += c::step0;
        k1 += c::step1;
    }
    return {{w0, w1, w2, w3}};
}

}  // namespace felt::inline FELT_ABI::detail
