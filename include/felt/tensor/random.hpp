// SPDX-License-Identifier: BSD-3-Clause
//
// Random numbers by index: element i, the row-major logical index, depends on the seed and i alone.
//
//   block n   = philox(counter (low n, high n, stream, 0), key seed): four words of 32 bits
//   pair p    = two words of 32 bits, 2p and 2p + 1 of the blocks in a row, for float; for double
//               two words of 64 bits, the halves of block p, each with its first word on top
//   element i = number i mod 2 of pair i / 2
//
// Uniform is stream 0 and normal stream 1, so that one seed may serve both.
#pragma once
#include <felt/core/extents.hpp>
#include <felt/tensor/random_lanes.hpp>
#include <felt/tensor/random_steps.hpp>
#include <concepts>

namespace felt::inline FELT_ABI {

template <class T, class Law>
    requires std::same_as<T, float> || std::same_as<T, double>
struct random_stream {
    static constexpr int cost = 20;  // vector instructions per element, about
    std::uint64_t seed = 0;

    // Element i, in scalar code, for kernels. lanes<1> has the bits of all other runs on the host.
    FELT_FN T at(index_t i) const {
        auto const word = detail::words_of_pair<T>(number(i) / 2, Law::stream, seed);
        auto const pair = Law::pair(word.a, word.b);
        return i % 2 == 0 ? pair.first : pair.second;
    }

    // out[l] = element i + l, for l < N.
    template <int N>
    FELT_INLINE void lanes(index_t i, T* out) const {
        detail::random_lanes<T, Law, N>(seed, number(i), out);
    }

    // out[l] = element i + l * step, for l < N: lanes along another axis, or backwards.
    template <int N>
    FELT_INLINE void lanes(index_t i, index_t step, T* out) const {
        detail::random_steps<T, Law, N>(seed, number(i), number(step), out);
    }

    // out[l] = element i + l, for l < n.
    void fill(index_t i, index_t n, T* out) const {
        detail::random_run<T, Law>(seed, number(i), n, out);
    }

    FELT_FN bool operator==(random_stream const& other) const { return seed == other.seed; }

private:
    static FELT_FN std::uint64_t number(index_t i) { return static_cast<std::uint64_t>(i); }
};

// In [0, 1).
template <class T>
using uniform_stream = random_stream<T, detail::uniform_law>;

// Mean 0, variance 1.
template <class T>
using normal_stream = random_stream<T, detail::normal_law>;

}  // namespace felt::inline FELT_ABI
