// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::conv_options;
using felt::planning::block_diagonal;
using felt::planning::blocks_of;

namespace {

using images = felt::Tensor<float, 4>;

// The three products of a convolution of 12 channels to 24.
template <class F>
void for_each_product(conv_options const& o, F f) {
    images x({2, 12, 6, 6}), w({24, 12 / o.groups.value, 3, 3}), y({2, 24, 4, 4});
    auto const forward = assign(y, conv2d(x, w, o));
    auto const by_images = assign(x, conv2d_input_grad(y, w, x.extents(), o));
    auto const by_filters = assign(w, conv2d_weight_grad(x, y, w.extents(), o));
    f(felt::explain(forward));
    f(felt::explain(by_images));
    f(felt::explain(by_filters));
}

}  // namespace

TEST_CASE("groups are blocks of a diagonal, in a convolution and in both its derivatives") {
    felt::index_t const each[] = {8, 4, 8};
    int i = 0;
    for_each_product({.groups = 3}, [&](auto const& p) {
        CAPTURE(i);
        block_diagonal const d = p.g[p.g.nodes[0].product].diagonal;
        REQUIRE(d.any());
        CHECK(d.each == each[i++]);
        CHECK(d.term >= p.g.nodes[0].rank);
        CHECK(d.of < p.g.nodes[0].rank);
        CHECK(blocks_of(p.g, 0) == 3);
        CHECK(p.flops() == 2 * 2 * 24 * 4 * 9 * (i == 2 ? 36 : 16));
    });
}

TEST_CASE("one group, and products of what is dense, have none") {
    for_each_product({}, [](auto const& p) {
        CHECK(!p.g[p.g.nodes[0].product].diagonal.any());
        CHECK(blocks_of(p.g, 0) == 1);
    });
    felt::Tensor<float, 2> const a({5, 5}), b({3, 5});
    felt::Tensor<float, 2> y({5, 5});
    auto const s = assign(y, matmul(a, felt::pad(b, {{1, 1}, {0, 0}})));
    CHECK(!felt::explain(s).g.products[0].diagonal.any());
}
