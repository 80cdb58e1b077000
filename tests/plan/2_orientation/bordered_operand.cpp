// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/asked.hpp"
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::all;
using felt::index_t;
using felt::range;
using felt::planning::product_schedule;

namespace {

template <class Layout = felt::ChannelsLast>
using images = felt::Tensor<double, 4, felt::Host, Layout>;

constexpr felt::conv_options same{.padding = {1, 1}};

template <class S>
product_schedule scheduled(S const& s) {
    auto const p = felt::explain(s);
    felt::planning::node_id id = 0;
    while (p.g[id].what != felt::planning::kind::contract) ++id;
    return test::product_of(p, id);
}
int by_term(product_schedule const& p) {
    int n = 0;
    for (auto const& a : p.zeros) n += a.by_term_alone ? 1 : 0;
    return n;
}

template <class Layout = felt::ChannelsLast>
product_schedule of_images(index_t channels, index_t side) {
    images<Layout> const x({2, channels, side, side}), w({24, channels, 3, 3});
    images<Layout> y({2, 24, side, side});
    return scheduled(assign(y, conv2d(x, w, same)));
}

}  // namespace

TEST_CASE("small padded images with many channels are read where they lie") {
    auto const p = of_images(128, 7);
    CHECK(p.left_bordered);
    CHECK(!p.left_boxed);
    CHECK(p.zeros.count == 2);
    CHECK(by_term(p) == 1);
    // One column of windows is taken at a time: the first of the terms.
    CHECK(p.axes.k[0] == p.zeros[1].term);
    CHECK(!of_images(128, 56).left_bordered);  // too few zeros for as many strips
    CHECK(!of_images(8, 7).left_bordered);     // too few terms
    CHECK(!of_images<felt::RowMajor>(128, 7).left_bordered);
}

TEST_CASE("filters' derivatives have strips of channels, and no terms by themselves") {
    images<> const x({2, 32, 9, 9}), dy({2, 24, 9, 9});
    images<> dw({24, 32, 3, 3});
    auto const p = scheduled(assign(dw, conv2d_weight_grad(x, dy, dw.extents(), same)));
    CHECK(p.left_bordered);
    CHECK(by_term(p) == 0);
    images<> const few({2, 3, 9, 9});
    images<> by({24, 3, 3, 3});
    auto const q = scheduled(assign(by, conv2d_weight_grad(few, dy, by.extents(), same)));
    CHECK(!q.left_bordered);
}

TEST_CASE("what is computed, set apart or written meanwhile is copied with its border") {
    images<> x({2, 128, 7, 7});
    images<> const w({128, 128, 3, 3});
    images<> y({2, 128, 7, 7}), dx({2, 128, 14, 14});
    CHECK(!scheduled(assign(y, conv2d(relu(x), w, same))).left_bordered);
    felt::conv_options const half{.stride = {2, 2}, .padding = {1, 1}};
    CHECK(!scheduled(assign(dx, conv2d_input_grad(y, w, dx.extents(), half))).left_bordered);
    CHECK(scheduled(assign(y, conv2d_input_grad(x, w, y.extents(), same))).left_bordered);
    x = test::numbered<images<>>({2, 128, 7, 7}, 3);
    images<> const before = x;
    images<> filters = test::numbered<images<>>({128, 128, 3, 3}, 5);
    x = conv2d(x, filters, same);
    y = conv2d(before, filters, same);
    CHECK(test::values(x) == test::near(test::values(y), 1e-12));
}

TEST_CASE("nothing beyond the border is read") {
    for (index_t stride : {1, 2})
        for (index_t kernel : {2, 3, 5}) {
            CAPTURE(stride);
            CAPTURE(kernel);
            images<> around({4, 96, 9, 10});
            around = test::not_a_number;
            auto x = slice(around, range(1, 3), all(), range(2, 7), range(2, 8));
            x = test::numbered<images<>>({2, 96, 5, 6}, 3);
            images<> const alone = x, w = test::numbered<images<>>({20, 96, kernel, kernel}, 5);
            felt::conv_options const o{.stride = {stride, stride},
                                       .padding = {kernel / 2, kernel / 2}};
            images<> y, expected;
            y = conv2d(x, w, o);
            expected = felt::conv2d(relu(alone) - relu(-alone), w, o);
            CHECK(test::values(y) == test::near(test::values(expected), 1e-12));
            images<> dw({20, 96, kernel, kernel}), right(dw.extents());
            dw = conv2d_weight_grad(x, y, dw.extents(), o);
            right = conv2d_weight_grad(relu(alone) - relu(-alone), y, dw.extents(), o);
            CHECK(test::values(dw) == test::near(test::values(right), 1e-12));
        }
}

TEST_CASE("rows and volumes have borders, too") {
    using rows = felt::Tensor<double, 3>;
    using volumes = felt::Tensor<double, 5>;
    auto const r = test::numbered<rows>({2, 11, 128}, 3);
    auto const by_r = test::numbered<rows>({16, 128, 5}, 5);
    auto const last = [](auto const& y) { return permute<0, 2, 1>(y); };
    rows y({2, 11, 16}), copied_y(y.extents());
    auto const s = assign(y, last(conv1d(last(r), by_r, {.padding = 2})));
    CHECK(scheduled(s).left_bordered);
    felt::run(felt::fused, s);
    copied_y = last(conv1d(last(relu(r) - relu(-r)), by_r, {.padding = 2}));
    CHECK(test::values(y) == test::near(test::values(copied_y), 1e-12));
    auto const v = test::numbered<volumes>({2, 4, 4, 5, 64}, 3);
    auto const by_v = test::numbered<volumes>({16, 64, 3, 3, 3}, 5);
    felt::conv3d_options const o{.padding = {1, 1, 1}};
    volumes z({2, 4, 4, 5, 16}), copied_z(z.extents());
    auto const first = [](auto const& x) { return permute<0, 4, 1, 2, 3>(x); };
    auto const back = [](auto const& x) { return permute<0, 2, 3, 4, 1>(x); };
    auto const t = assign(z, back(conv3d(first(v), by_v, o)));
    CHECK(scheduled(t).left_bordered);
    felt::run(felt::fused, t);
    copied_z = back(conv3d(first(relu(v) - relu(-v)), by_v, o));
    CHECK(test::values(z) == test::near(test::values(copied_z), 1e-12));
}
