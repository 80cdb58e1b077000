// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks of windows in memory are cut where they lie furthest apart, others where they are longest.
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::index_t;
using felt::planning::make_plan;

namespace {

template <class S>
std::vector<index_t> block_of(S const& s) {
    auto const p = make_plan(s);
    auto const& to = p.g.statements[felt::planning::statement_id{0}];
    auto const* const block = p.s[to.space].block;
    return {block, block + p.g[to.space].rank};
}

using images = felt::Tensor<float, 4, felt::Host, felt::ChannelsLast>;
constexpr felt::pool_options by_two = {.window = {3, 3}, .stride = {2, 2}};

}  // namespace

TEST_CASE("pools of images in memory: image by image, then row by row") {
    images x({16, 96, 55, 55}), y({16, 96, 27, 27});
    for (auto const& block :
         {block_of(assign(y, max_pool2d(x, by_two))), block_of(assign(y, avg_pool2d(x, by_two)))}) {
        CHECK(block[0] == 1);
        CHECK(block[1] == 96);
        CHECK(block[2] < 27);
        CHECK(block[3] == 27);
    }
    felt::Tensor<float, 4> first({16, 96, 55, 55}), z({16, 96, 27, 27});
    auto const block = block_of(assign(z, max_pool2d(first, by_two)));
    CHECK(block[0] == 1);
    CHECK(block[2] == 27);
    CHECK(block[3] == 27);
}

TEST_CASE("windows of products are cut as products are") {
    images x({4, 64, 28, 28}), y({4, 64, 13, 13});
    felt::Tensor<float, 4> w({64, 64, 3, 3});
    auto const pooled = max_pool2d(conv2d(x, w, {.padding = {1, 1}}), by_two);
    auto const block = block_of(assign(y, pooled));
    CHECK(block[1] == 64);
}

TEST_CASE("a sum of an array and its transpose has blocks as long as they are wide") {
    felt::Tensor<float, 2> x({3000, 3000}), y({3000, 3000});
    auto const block = block_of(assign(y, x + transpose(x)));
    CHECK(block[0] < 3000);
    CHECK(block[1] < 3000);
}

TEST_CASE("a pool that is computed first is cut image by image, as one that stands alone") {
    felt::Tensor<float, 4> const x({64, 64, 28, 28});
    felt::Tensor<int, 1> const where({64});
    felt::Tensor<float, 4> y({64, 32, 14, 14});
    felt::pool_options const halves{.window = {2, 2}, .stride = {2, 2}};
    auto const p =
        make_plan(assign(y, felt::scatter_add<1>(y.extents(), where, felt::max_pool2d(x, halves))));
    int found = 0;
    for (auto id : p.g.nodes.ids()) {
        if (p.g[id].what != felt::planning::kind::reduce) continue;
        auto const* const block = p.s[p.g[id].inner].block;
        CHECK(p.s[id].by == felt::planning::way::hoisted);
        CHECK(block[0] == 1);
        CHECK(block[2] == 14);
        CHECK(block[3] == 14);
        ++found;
    }
    CHECK(found == 1);
}
