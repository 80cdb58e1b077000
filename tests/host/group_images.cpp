// SPDX-License-Identifier: BSD-3-Clause
//
// A layer of a network in one pass over its images: the convolution that is kept, its pool, and
// sums of it.
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;

namespace {

template <class Layout>
using images = felt::Tensor<float, 4, felt::Host, Layout>;

struct sizes {
    index_t n, channels, side, filters;
};

template <class Layout>
void check_layer(sizes s, felt::pool_options const& pool) {
    images<Layout> x({s.n, s.channels, s.side, s.side}), w({s.filters, s.channels, 3, 3});
    images<Layout> a({s.n, s.filters, s.side, s.side}), b({1, s.filters, 1, 1});
    x = felt::uniform<float>(x.extents(), 1) - 0.5F;
    w = felt::uniform<float>(w.extents(), 2) - 0.5F;
    b = felt::uniform<float>(b.extents(), 3);
    felt::conv_options const same{.padding = {1, 1}};
    images<Layout> h, pooled;
    felt::Tensor<float, 1> total, expected_total;
    auto const keep = assign(a, sigmoid(conv2d(x, w, same) + b));
    auto const mean = assign(h, felt::avg_pool2d(a, pool));
    auto const sum = assign(total, felt::sum<0, 2, 3>(a));
    felt::fuse(keep, mean, sum);
    images<Layout> const expected = sigmoid(conv2d(x, w, same) + b);
    pooled = felt::avg_pool2d(expected, pool);
    expected_total = felt::sum<0, 2, 3>(expected);
    CHECK(felt::all_close(a, expected, 1e-5, 1e-6));
    CHECK(felt::all_close(h, pooled, 1e-5, 1e-6));
    CHECK(felt::all_close(total, expected_total, 1e-5));
}

template <class Layout>
void check_layers() {
    felt::pool_options const overlapping{.window = {3, 3}, .stride = {2, 2}, .padding = {1, 1}};
    for (sizes s : {sizes{64, 8, 20, 20}, {7, 3, 9, 5}, {1, 1, 6, 1}, {130, 2, 12, 33}}) {
        check_layer<Layout>(s, {});
        check_layer<Layout>(s, overlapping);
    }
}

}  // namespace

TEST_CASE("a convolution, its pool and its sums in one group are what they are alone") {
    check_layers<felt::RowMajor>();
    check_layers<felt::ChannelsLast>();
}

TEST_CASE("they are one pass over the images") {
    images<felt::ChannelsLast> x({64, 8, 20, 20}), w({20, 8, 3, 3}), a({64, 20, 18, 18});
    images<felt::ChannelsLast> h({64, 20, 9, 9});
    auto const keep = assign(a, sigmoid(conv2d(x, w)));
    auto const mean = assign(h, felt::avg_pool2d(a));
    auto const p = felt::explain(keep, mean);
    REQUIRE(p.passes().size() == 1);
    CHECK(p.passes()[0].extent == 64);
    CHECK(p.fused());
}
