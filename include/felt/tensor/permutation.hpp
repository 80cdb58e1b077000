// SPDX-License-Identifier: BSD-3-Clause
//
// A random order of 0 .. n-1 that needs no memory: element i by itself. Feistel rounds exchange the
// numbers of b bits, 2^b >= n, one for one; they are gone through again while a number is n or more
// (Black, Rogaway: Ciphers with arbitrary finite domains, 2002). A round of the halves of a number,
// right as wide as left or by a bit wider, by a key of its own:
//
//     left, right  ->  lower bits of right ^ mix(left + key),  left, and right's bit above these
//
// with the mix of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
// 2014); keys are pairs of words of stream 3 of Philox.
#pragma once
#include <felt/core/extents.hpp>
#include <felt/tensor/philox.hpp>

namespace felt::inline FELT_ABI {

struct permutation_stream {
    static constexpr int cost = 200;  // vector instructions per element, about
    static constexpr int rounds = 12;

    // Of n >= 0 numbers.
    permutation_stream(index_t n, std::uint64_t seed) : n_(static_cast<std::uint64_t>(n)) {
        int bits = 6;  // halves of two bits have affine functions only
        while (n_ > std::uint64_t{1} << bits) ++bits;
        left_ = bits / 2;
        right_ = bits - left_;
        for (int r = 0; r < rounds; ++r) {
            auto const words = detail::philox(static_cast<std::uint64_t>(r), 3, seed);
            key_[r] = std::uint64_t{words.word[0]} << 32 | words.word[1];
        }
    }

    // Element i; 0 beside the last, where lanes go on.
    FELT_FN index_t at(index_t i) const {
        auto x = static_cast<std::uint64_t>(i);
        if (x >= n_) return 0;
        do x = exchanged(x);
        while (x >= n_);
        return static_cast<index_t>(x);
    }

    // out[l] = element i + l * step, for l < N.
    template <int N>
    void lanes(index_t i, index_t step, index_t* out) const {
        for (int l = 0; l < N; ++l) out[l] = at(i + l * step);
    }

    FELT_FN bool operator==(permutation_stream const& other) const {
        bool same = n_ == other.n_;
        for (int r = 0; r < rounds; ++r) same = same && key_[r] == other.key_[r];
        return same;
    }

private:
    FELT_FN std::uint64_t exchanged(std::uint64_t x) const {
        std::uint64_t left = x >> right_, right = x & lower(right_);
        for (int r = 0; r < rounds; ++r) {
            std::uint64_t const next = (right ^ mix(left + key_[r])) & lower(left_);
            right = left << (right_ - left_) | right >> left_;
            left = next;
        }
        return left << right_ | right;
    }
    static FELT_FN std::uint64_t mix(std::uint64_t x) {
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
        x = (x ^ x >> 27) * 0x94D049BB133111EB;
        return x ^ x >> 31;
    }
    static FELT_FN std::uint64_t lower(int bits) { return (std::uint64_t{1} << bits) - 1; }

    std::uint64_t n_;
    int left_, right_;  // bits
    std::uint64_t key_[rounds];
};

}  // namespace felt::inline FELT_ABI
