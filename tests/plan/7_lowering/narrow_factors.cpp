// SPDX-License-Identifier: BSD-3-Clause
//
// Which products are of words: by what their factors are converted from.
#include "tests/plan/asked.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <cstdint>

using felt::bfloat16;
using felt::index_t;
using felt::Tensor;
using felt::planning::narrow_type;
using test::first_product_of;

namespace {

auto wide(auto const& x) { return felt::cast<std::int32_t>(x); }

}  // namespace

TEST_CASE("types of factors, by operand") {
    Tensor<std::uint8_t, 2> const a({64, 128});
    Tensor<std::int8_t, 2> const b({128, 96});
    Tensor<std::int32_t, 2> y({64, 96});
    auto const p = first_product_of(assign(y, matmul(wide(a), wide(b))));
    CHECK(p.multiplies_words() == FELT_BYTE_DOTS);
    CHECK(p.factor[0] == (FELT_BYTE_DOTS ? narrow_type::uint8 : narrow_type::none));
    CHECK(p.factor[1] == (FELT_BYTE_DOTS ? narrow_type::int8 : narrow_type::none));
}

TEST_CASE("images of bytes with zeros around them, and filters in groups") {
    Tensor<std::uint8_t, 4> const x({2, 8, 9, 9});
    Tensor<std::int8_t, 4> const w({6, 4, 3, 3});
    Tensor<std::int32_t, 4> y({2, 6, 9, 9});
    CHECK(first_product_of(assign(y, conv2d(wide(x), wide(w), {.padding = {1, 1}, .groups = 2})))
              .multiplies_words() == FELT_BYTE_DOTS);
}

TEST_CASE("bfloat16: not of a few rows, and of images only with pairs of channels") {
    Tensor<bfloat16, 2> const a({64, 128}), b({128, 96}), row({1, 128});
    Tensor<float, 2> y({64, 96}), z({1, 96});
    CHECK(first_product_of(assign(y, matmul(a, b))).multiplies_words() == FELT_BFLOAT16_DOTS);
    CHECK_FALSE(first_product_of(assign(z, matmul(row, b))).multiplies_words());
    auto const of_channels = [](index_t c) {
        Tensor<bfloat16, 4> const x({1, 20, 20, c}), w({5, 5, c, 32});
        Tensor<float, 4> to({1, 16, 16, 32});
        auto channels_first = felt::permute<0, 3, 1, 2>(to);
        auto const s = assign(channels_first,
                              conv2d(felt::permute<0, 3, 1, 2>(x), felt::permute<3, 2, 0, 1>(w)));
        auto const exact = felt::explain(felt::exact, s);
        felt::planning::node_id id = 0;
        while (exact.g[id].what != felt::planning::kind::contract) ++id;
        return exact.s[exact.g[id].product].multiplies_words();
    };
    CHECK(of_channels(32) == FELT_BFLOAT16_DOTS);
    CHECK_FALSE(of_channels(3));
}
