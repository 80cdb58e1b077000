// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks of Philox as the words of pairs of numbers:
//   float    pair p is words 2p and 2p + 1 of the blocks in a row, 32 bits each
//   double   pair p is the two halves of block p, 64 bits each, the first word on top
#pragma once
#include <felt/tensor/box_muller.hpp>
#include <felt/tensor/philox.hpp>
#include <type_traits>

namespace felt::inline FELT_ABI::detail {

template <class W>
struct word_pair {
    W a, b;
};

template <class T>
using word_t = typename math::format<T>::word;

template <class T>
inline constexpr int numbers_in_block = 16 / int{sizeof(T)};

FELT_FN std::uint64_t joined(std::uint32_t high, std::uint32_t low) {
    return (std::uint64_t{high} << 32) | low;
}
template <class A>
FELT_INLINE lanes64<A> joined(lanes64<A> high, lanes64<A> low) {
    return (high << 32) | (low & lanes64<A>(0xFFFFFFFFu));
}

// The words of pair p.
template <class T>
FELT_FN word_pair<word_t<T>> words_of_pair(std::uint64_t p, std::uint32_t stream,
                                           std::uint64_t seed) {
    if constexpr (sizeof(T) == 4) {
        auto const block = philox(p / 2, stream, seed);
        auto const& w = block.word;
        return {p % 2 == 0 ? w[0] : w[2], p % 2 == 0 ? w[1] : w[3]};
    } else {
        auto const block = philox(p, stream, seed);
        auto const& w = block.word;
        return {joined(w[0], w[1]), joined(w[2], w[3])};
    }
}

// The words of all pairs of the blocks in the lanes, in order.
template <class T, class A>
FELT_INLINE word_pair<xsimd::batch<word_t<T>, A>> words_of_pairs(philox_lanes<A> const& block) {
    using words = xsimd::batch<word_t<T>, A>;
    auto const& w = block.word;
    if constexpr (sizeof(T) == 4) {
        return {same_bits<words>(joined(w[2], w[0])), same_bits<words>(joined(w[3], w[1]))};
    } else {
        return {joined(w[0], w[1]), joined(w[2], w[3])};
    }
}

// The widest batches, unless the two halves of a narrower pair are N numbers already.
template <class T, int N>
struct random_arch_of {
    static constexpr int size = static_cast<int>(xsimd::batch<T>::size);
    using half = xsimd::make_sized_batch_t<T, static_cast<std::size_t>(size / 2)>;

    static auto choose() {
        if constexpr (std::is_void_v<half> || N > size) {
            return xsimd::default_arch{};
        } else {
            return typename half::arch_type{};
        }
    }
    using type = decltype(choose());
};
template <class T, int N>
using random_arch = typename random_arch_of<T, N>::type;

}  // namespace felt::inline FELT_ABI::detail
