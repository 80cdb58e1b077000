// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/tensor/philox.hpp>

namespace {

using felt::detail::philox;
using felt::detail::philox_block;

void check_words(philox_block const& found, philox_block const& expected) {
    for (int k = 0; k < 4; ++k) CHECK(found.word[k] == expected.word[k]);
}

template <class A>
void check_lanes_against_blocks(std::uint64_t first, std::uint64_t seed) {
    constexpr int size = static_cast<int>(felt::detail::lanes64<A>::size);
    std::uint64_t n[size], found[4][size];
    for (int l = 0; l < size; ++l) n[l] = first + static_cast<std::uint64_t>(l) * 0x80000001u;
    auto const lanes = philox(felt::detail::lanes64<A>::load_unaligned(n), 3, seed);
    for (int k = 0; k < 4; ++k) lanes.word[k].store_unaligned(found[k]);
    for (int l = 0; l < size; ++l) {
        auto const block = philox(n[l], 3, seed);
        for (int k = 0; k < 4; ++k) CHECK(felt::detail::low_half(found[k][l]) == block.word[k]);
    }
}

TEST_CASE("Philox gives the known answers of its authors") {
    constexpr std::uint32_t ones = 0xFFFFFFFF;
    check_words(philox({{0, 0, 0, 0}}, 0), {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
    check_words(philox({{ones, ones, ones, ones}}, ~std::uint64_t{0}),
                {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
    check_words(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0x299f31d0a4093822),
                {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

TEST_CASE("a block number fills the first two words of the counter, low half first") {
    check_words(philox(0x85a308d3243f6a88, 5, 7), philox({{0x243f6a88, 0x85a308d3, 5, 0}}, 7));
}

TEST_CASE("Philox is a constant expression") {
    static_assert(philox({{0, 0, 0, 0}}, 0).word[3] == 0x9b00dbd8);
}

TEST_CASE("a batch of blocks has the words of the blocks") {
    for (std::uint64_t seed : {0ull, 42ull, 0xFEDCBA9876543210ull, ~0ull}) {
        for (std::uint64_t first : {0ull, 7ull, 0xFFFFFFFCull, ~0ull - 3}) {
            check_lanes_against_blocks<xsimd::default_arch>(first, seed);
            using narrow = xsimd::make_sized_batch_t<double, 2>::arch_type;
            check_lanes_against_blocks<narrow>(first, seed);
        }
    }
}

TEST_CASE("a product without an instruction of its own is the same product") {
    using A = xsimd::default_arch;
    using lanes = felt::detail::lanes64<A>;
    std::uint64_t const a[8] = {0, 1, ~0ull, 0xFFFFFFFF, 0x123456789, 0xD2511F53, 5, 1ull << 63};
    std::uint64_t const b[8] = {3, ~0ull, ~0ull, 0xFFFFFFFF, 0x987654321, 0xCD9E8D57, 6, 2};
    std::uint64_t found[lanes::size];
    auto const x = lanes::load_unaligned(a), y = lanes::load_unaligned(b);
    for (int way = 0; way < 2; ++way) {
        auto const p = way == 0 ? felt::detail::wide_product(x, y, A{})
                                : felt::detail::wide_product(x, y, felt::any_arch{});
        p.store_unaligned(found);
        for (std::size_t l = 0; l < lanes::size; ++l) {
            CHECK(found[l] == (a[l] & 0xFFFFFFFF) * (b[l] & 0xFFFFFFFF));
        }
    }
}

}  // namespace
