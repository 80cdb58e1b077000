// SPDX-License-Identifier: BSD-3-Clause
//
// Runs of random elements on the host: out[l] = element i + l, two batches of pairs at a time.
#pragma once
#include <felt/core/extents.hpp>
#include <felt/tensor/interleave.hpp>
#include <felt/tensor/random_words.hpp>
#include <cstring>

namespace felt::inline FELT_ABI::detail {

// Two batches of numbers from the blocks n, n + 1, ...
template <class T, class Law, class A>
FELT_INLINE void random_chunk(std::uint64_t seed, std::uint64_t n, T* out) {
    constexpr std::uint64_t count[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    static_assert(lanes64<A>::size <= 8);
    auto const blocks = lanes64<A>(n) + lanes64<A>::load_unaligned(count);
    auto const words = words_of_pairs<T>(philox(blocks, Law::stream, seed));
    auto const numbers = Law::pair(words.a, words.b);
    interleave(numbers.first, numbers.second, out, A{});
}

template <class T, class A>
inline constexpr int random_chunk_size = 2 * static_cast<int>(xsimd::batch<T, A>::size);

// out[l] = element i + l, for l < N, when i begins a block and N is a number of chunks.
template <class T, class Law, class A, int N>
FELT_INLINE void random_whole(std::uint64_t seed, std::uint64_t i, T* out) {
    constexpr int chunk = random_chunk_size<T, A>;
    static_assert(N % chunk == 0);
    for (int l = 0; l < N; l += chunk) {
        auto const at = i + static_cast<std::uint64_t>(l);
        random_chunk<T, Law, A>(seed, at / numbers_in_block<T>, out + l);
    }
}

// The same for all i and N: whole chunks into a buffer, and from there what was asked for.
template <class T, class Law, int N>
void random_part(std::uint64_t seed, std::uint64_t i, T* out) {
    constexpr int most = N + numbers_in_block<T> - 1;
    using A = random_arch<T, most>;
    constexpr int chunk = random_chunk_size<T, A>;
    constexpr int whole = (most + chunk - 1) / chunk * chunk;
    std::uint64_t const skip = i % numbers_in_block<T>;
    T buffer[whole];
    random_whole<T, Law, A, whole>(seed, i - skip, buffer);
    std::memcpy(out, buffer + skip, N * sizeof(T));
}

template <class T, class Law, int N>
FELT_INLINE void random_lanes(std::uint64_t seed, std::uint64_t i, T* out) {
    using A = random_arch<T, N>;
    if constexpr (N % random_chunk_size<T, A> == 0) {
        if (i % numbers_in_block<T> == 0) return random_whole<T, Law, A, N>(seed, i, out);
    }
    random_part<T, Law, N>(seed, i, out);
}

// out[l] = element i + l, for l < n; only the ends go through the buffer.
template <class T, class Law>
void random_run(std::uint64_t seed, std::uint64_t i, index_t n, T* out) {
    using A = xsimd::default_arch;
    constexpr index_t chunk = random_chunk_size<T, A>;
    T buffer[chunk];
    for (index_t done = 0; done < n;) {
        std::uint64_t const at = i + static_cast<std::uint64_t>(done);
        std::uint64_t const block = at / numbers_in_block<T>;
        index_t const skip = static_cast<index_t>(at % numbers_in_block<T>);
        index_t const left = n - done, here = left < chunk - skip ? left : chunk - skip;
        bool const whole = here == chunk;
        random_chunk<T, Law, A>(seed, block, whole ? out + done : buffer);
        if (!whole) {
            std::memcpy(out + done, buffer + skip, static_cast<std::size_t>(here) * sizeof(T));
        }
        done += here;
    }
}

}  // namespace felt::inline FELT_ABI::detail
