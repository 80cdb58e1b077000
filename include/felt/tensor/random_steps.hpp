// SPDX-License-Identifier: BSD-3-Clause
//
// Random elements on the host at equal steps: out[l] = element i + l * step. A lane has a pair of
// its own, of which it takes one number; so this costs two to four times as much as a run.
#pragma once
#include <felt/tensor/random_words.hpp>
#include <cstring>

namespace felt::inline FELT_ABI::detail {

// For element i in each lane, into memory: the words of its pair, and all ones if it is the second.
template <class T, class A>
struct element_words {
    static constexpr int size = static_cast<int>(xsimd::batch<T, A>::size);
    word_t<T> a[size], b[size], second[size];

    FELT_INLINE void set(int at, lanes64<A> i, std::uint32_t stream, std::uint64_t seed) {
        lanes64<A> const zero(std::uint64_t{0}), one(std::uint64_t{1});
        auto const block = philox(lanes64<A>(i >> (sizeof(T) == 4 ? 2 : 1)), stream, seed);
        auto const& w = block.word;
        store(second + at, zero - (i & one));
        if constexpr (sizeof(T) == 4) {
            auto const upper = zero - ((i >> 1) & one);
            store(a + at, w[0] ^ ((w[0] ^ w[2]) & upper));
            store(b + at, w[1] ^ ((w[1] ^ w[3]) & upper));
        } else {
            store(a + at, joined(w[0], w[1]));
            store(b + at, joined(w[2], w[3]));
        }
    }

private:
    static FELT_INLINE void store(std::uint64_t* to, lanes64<A> x) { x.store_unaligned(to); }
    static FELT_INLINE void store(std::uint32_t* to, lanes64<A> x) {
        std::uint64_t wide[lanes64<A>::size];
        x.store_unaligned(wide);
        for (std::size_t l = 0; l < lanes64<A>::size; ++l) to[l] = low_half(wide[l]);
    }
};

// out[l] = element i + l * step, for l < N. A call is little beside what it computes.
template <class T, class Law, int N>
[[gnu::noinline]] void random_steps(std::uint64_t seed, std::uint64_t i, std::uint64_t step,
                                    T* out) {
    using A = random_arch<T, 2 * N>;
    using words = xsimd::batch<word_t<T>, A>;
    constexpr int lanes = static_cast<int>(lanes64<A>::size), size = element_words<T, A>::size;
    std::uint64_t offset[lanes];
    for (int l = 0; l < lanes; ++l) offset[l] = static_cast<std::uint64_t>(l) * step;
    auto const offsets = lanes64<A>::load_unaligned(offset);
    T number[N + size];
    for (int l = 0; l < N; l += size) {
        element_words<T, A> element;
        for (int at = 0; at < size; at += lanes) {
            auto const first = i + static_cast<std::uint64_t>(l + at) * step;
            element.set(at, lanes64<A>(first) + offsets, Law::stream, seed);
        }
        auto const pair =
            Law::pair(words::load_unaligned(element.a), words::load_unaligned(element.b));
        auto const x = same_bits<words>(pair.first), y = same_bits<words>(pair.second);
        words const chosen = x ^ ((x ^ y) & words::load_unaligned(element.second));
        same_bits<xsimd::batch<T, A>>(chosen).store_unaligned(number + l);
    }
    std::memcpy(out, number, N * sizeof(T));
}

}  // namespace felt::inline FELT_ABI::detail
