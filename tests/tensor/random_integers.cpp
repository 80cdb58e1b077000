// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/tensor/random_integers.hpp>
#include <cmath>
#include <limits>
#include <vector>

using felt::index_t;
using felt::integer_stream;

TEST_CASE("the upper half of a product") {
    using felt::detail::upper_product;
    std::uint64_t const top = ~std::uint64_t{0};
    CHECK(upper_product(top, top) == top - 1);
    CHECK(upper_product(top, 1) == 0);
    CHECK(upper_product(std::uint64_t{1} << 63, 6) == 3);
    CHECK(upper_product(0x123456789ABCDEF0, 0xFEDCBA9876543210) == 0x121FA00AD77D7422);
}

TEST_CASE("lanes have the elements, at any place and step") {
    integer_stream<int> const s{7, -50, 101};
    int out[16];
    for (index_t i : {0, 1, 2, 3, 17, 1000001}) {
        for (index_t step : {1, 2, -1, 37, 0}) {
            index_t const first = i + (step < 0 ? 100 : 0);
            s.lanes<16>(first, step, out);
            for (int l = 0; l < 16; ++l) CHECK(out[l] == s.at(first + l * step));
            s.lanes<1>(first, step, out);
            CHECK(out[0] == s.at(first));
        }
    }
}

TEST_CASE("all integers of a range, and no others, equally often") {
    integer_stream<short> const s{3, -3, 7};
    std::vector<double> seen(7);
    for (index_t i = 0; i < 70000; ++i) {
        int const v = s.at(i);
        REQUIRE(v >= -3);
        REQUIRE(v <= 3);
        ++seen[static_cast<std::size_t>(v + 3)];
    }
    double sum = 0;
    for (double times : seen) sum += (times - 10000) * (times - 10000) / 10000;
    CHECK(sum < 6 + 4 * std::sqrt(12.));
}

TEST_CASE("ranges of one number, and of nearly all") {
    CHECK(integer_stream<index_t>{1, 5, 1}.at(3) == 5);
    index_t const lowest = std::numeric_limits<index_t>::min();
    integer_stream<index_t> const s{1, lowest, ~std::uint64_t{0}};
    bool negative = false, positive = false;
    for (index_t i = 0; i < 64; ++i) {
        negative = negative || s.at(i) < lowest / 2;
        positive = positive || s.at(i) > -(lowest / 2);
    }
    CHECK(negative);
    CHECK(positive);
}

TEST_CASE("streams are equal if seed and range are") {
    CHECK(integer_stream<int>{1, 2, 3} == integer_stream<int>{1, 2, 3});
    CHECK_FALSE(integer_stream<int>{1, 2, 3} == integer_stream<int>{2, 2, 3});
    CHECK_FALSE(integer_stream<int>{1, 2, 3} == integer_stream<int>{1, 2, 4});
}
