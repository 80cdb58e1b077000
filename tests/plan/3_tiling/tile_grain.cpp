// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/asked.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::detail::halved;

namespace {

using images = felt::Tensor<float, 4, felt::Host, felt::ChannelsLast>;
constexpr felt::conv_options same{.padding = {1, 1}};

// The blocks of a statement along rows and columns of its images.
template <class S>
std::pair<index_t, index_t> blocks_of(S const& s) {
    auto const p = felt::explain(s);
    auto const& block = p.s[p.g[felt::planning::statement_id(0)].space].block;
    return {block[2], block[3]};
}

}  // namespace

TEST_CASE("a loop is halved in steps of its grain, and by less where it is no longer") {
    CHECK(halved(56, false, 64, 1) == 28);
    CHECK(halved(56, false, 64, 4) == 28);
    CHECK(halved(28, false, 64, 4) == 16);
    CHECK(halved(14, false, 64, 4) == 8);
    CHECK(halved(8, false, 64, 4) == 4);
    CHECK(halved(5, false, 64, 4) == 4);
    CHECK(halved(4, false, 64, 4) == 2);
    CHECK(halved(2, false, 64, 4) == 1);
    CHECK(halved(1, false, 64, 4) == 1);
    CHECK(halved(25, false, 64, 24) == 24);
    CHECK(halved(300, true, 64, 4) == 192);
}

TEST_CASE("blocks of what reads a convolution begin where its tiles do") {
    images const x({16, 128, 112, 112}), w({128, 128, 3, 3}), wide({128, 128, 5, 5});
    images y({16, 128, 112, 112}), half({16, 128, 56, 56});
    auto const [rows, across] = blocks_of(assign(y, felt::relu(conv2d(x, w, same))));
    CHECK(rows % 4 == 0);
    CHECK(across % 4 == 0);
    CHECK(rows * across < 112 * 112);
    auto const [r, a] =
        blocks_of(assign(half, felt::max_pool2d(conv2d(x, w, same), {.window = {2, 2}})));
    CHECK(r % 2 == 0);
    CHECK(a % 2 == 0);
    CHECK(r * a < 56 * 56);
    auto const [f, g] = blocks_of(assign(y, felt::relu(conv2d(x, wide, {.padding = {2, 2}}))));
    CHECK((f % 12 == 0 || f == 112));
    CHECK((g % 12 == 0 || g == 112));
}
