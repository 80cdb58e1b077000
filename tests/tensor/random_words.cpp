// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/tensor/random_words.hpp>

namespace {

using namespace felt::detail;

TEST_CASE("a pair of float is two words of a block, a pair of double is all four") {
    auto const block = philox(5, 1, 42);
    auto const& w = block.word;
    CHECK(words_of_pair<float>(10, 1, 42).a == w[0]);
    CHECK(words_of_pair<float>(10, 1, 42).b == w[1]);
    CHECK(words_of_pair<float>(11, 1, 42).a == w[2]);
    CHECK(words_of_pair<float>(11, 1, 42).b == w[3]);
    CHECK(words_of_pair<double>(5, 1, 42).a == ((std::uint64_t{w[0]} << 32) | w[1]));
    CHECK(words_of_pair<double>(5, 1, 42).b == ((std::uint64_t{w[2]} << 32) | w[3]));
}

template <class T, class A>
void check_words_of_pairs() {
    constexpr std::size_t size = xsimd::batch<T, A>::size, lanes = lanes64<A>::size;
    std::uint64_t n[lanes];
    for (std::size_t l = 0; l < lanes; ++l) n[l] = 100 + l;
    auto const pairs = words_of_pairs<T>(philox(lanes64<A>::load_unaligned(n), 0, 9));
    word_t<T> a[size], b[size];
    pairs.a.store_unaligned(a);
    pairs.b.store_unaligned(b);
    for (std::size_t l = 0; l < size; ++l) {
        auto const pair = words_of_pair<T>(100 * size / lanes + l, 0, 9);
        CHECK(a[l] == pair.a);
        CHECK(b[l] == pair.b);
    }
}

TEST_CASE("the pairs of a batch of blocks are in order") {
    check_words_of_pairs<float, xsimd::default_arch>();
    check_words_of_pairs<double, xsimd::default_arch>();
    check_words_of_pairs<float, random_arch<float, 1>>();
    check_words_of_pairs<double, random_arch<double, 1>>();
}

TEST_CASE("a few numbers are made by narrower batches if there are any") {
    constexpr int size = static_cast<int>(xsimd::batch<float>::size);
    static_assert(std::is_same_v<random_arch<float, 2 * size>, xsimd::default_arch>);
    static_assert(std::is_same_v<random_arch<float, size + 1>, xsimd::default_arch>);
    constexpr auto narrow = xsimd::batch<float, random_arch<float, size>>::size;
    CHECK(narrow == (size >= 8 ? size / 2 : size));
}

}  // namespace
