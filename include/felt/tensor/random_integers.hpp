// SPDX-License-Identifier: BSD-3-Clause
//
// Random integers by index, from the words of stream 2: low + floor(w count / 2^64) for a word w of
// 64 bits. Each of the count numbers has a share of 1 / count to within 2^-64 (Lemire: Fast random
// integer generation in an interval, 2019, without its rejection of words).
#pragma once
#include <felt/tensor/random.hpp>

namespace felt::inline FELT_ABI {

namespace detail {

// The words themselves, as the bits of numbers.
struct word_law {
    static constexpr std::uint32_t stream = 2;

    template <class W>
    static FELT_FN number_pair<W> pair(W a, W b) {
        return {same_bits<number_t<W>>(a), same_bits<number_t<W>>(b)};
    }
};

// The upper half of the product of two words.
FELT_FN std::uint64_t upper_product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t const low = low_half(a), high = high_half(a);
    std::uint64_t const x = low_half(b), y = high_half(b);
    std::uint64_t const middle = high * x + high_half(low * x);
    return high * y + high_half(middle) + high_half(low_half(middle) + low * y);
}

}  // namespace detail

template <class T>
struct integer_stream {
    static constexpr int cost = 20;  // vector instructions per element, about
    std::uint64_t seed = 0;
    index_t low = 0;
    std::uint64_t count = 1;

    FELT_FN T at(index_t i) const {
        auto const n = static_cast<std::uint64_t>(i);
        auto const word = detail::words_of_pair<double>(n / 2, detail::word_law::stream, seed);
        return number(n % 2 == 0 ? word.a : word.b);
    }

    // out[l] = element i + l * step, for l < N.
    template <int N>
    void lanes(index_t i, index_t step, T* out) const {
        random_stream<double, detail::word_law> const words{seed};
        double bits[N];
        if (step == 1) words.template lanes<N>(i, bits);
        else words.template lanes<N>(i, step, bits);
        for (int l = 0; l < N; ++l) out[l] = number(detail::same_bits<std::uint64_t>(bits[l]));
    }

    FELT_FN bool operator==(integer_stream const& other) const {
        return seed == other.seed && low == other.low && count == other.count;
    }

private:
    FELT_FN T number(std::uint64_t word) const {
        auto const above = detail::upper_product(word, count);
        return static_cast<T>(static_cast<std::uint64_t>(low) + above);
    }
};

}  // namespace felt::inline FELT_ABI
