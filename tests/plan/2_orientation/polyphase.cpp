// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/asked.hpp"
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <limits>

using felt::conv_options;
using felt::index_t;
using felt::planning::apart_axes;

namespace {

template <class Layout = felt::ChannelsLast>
using images = felt::Tensor<float, 4, felt::Host, Layout>;

template <class Layout = felt::ChannelsLast>
apart_axes of_input_grad(felt::extents<4> const& x, conv_options const& o) {
    images<Layout> w({24, x[1], 3, 3}), dx(x);
    images<Layout> const dy(conv2d(dx, w, o).extents());
    auto const s = assign(dx, conv2d_input_grad(dy, w, x, o));
    auto const p = felt::explain(s);
    return test::product_of(p, 0).apart;
}

// sum over o, r, s of dy(n, o, p, q) w(o, c, r, s), where p stride + r - padding = h, q .. = w.
test::plain plainly(images<> const& dy, images<> const& w, felt::extents<4> const& e,
                    conv_options const& o) {
    return test::computed({e[0], e[1], e[2], e[3]}, [&](index_t const* at) {
        double sum = 0;
        for (index_t r = 0; r < w.extent(2); ++r) {
            for (index_t s = 0; s < w.extent(3); ++s) {
                index_t const h = at[2] + o.padding[0].value - r, p = h / o.stride[0].value;
                index_t const v = at[3] + o.padding[1].value - s, q = v / o.stride[1].value;
                if (h < 0 || v < 0 || h % o.stride[0].value != 0 || v % o.stride[1].value != 0 ||
                    p >= dy.extent(2) || q >= dy.extent(3)) {
                    continue;
                }
                for (index_t k = 0; k < dy.extent(1); ++k) {
                    sum += static_cast<double>(dy(at[0], k, p, q)) *
                           static_cast<double>(w(k, at[1], r, s));
                }
            }
        }
        return sum;
    });
}

}  // namespace

TEST_CASE("results that have a stride are set apart for the derivative by the images") {
    auto const both = of_input_grad({{2, 24, 12, 12}}, {.stride = {2, 3}, .padding = {1, 1}});
    REQUIRE(both.count == 2);
    CHECK(felt::planning::phases_of(both) == 6);
    CHECK(both[0].apart == 2);
    CHECK(both[1].apart == 3);
    CHECK(felt::planning::terms_of(both) == (1U << both[0].term | 1U << both[1].term));
    // Row 0 meets filter row 1 alone, row 1 the other two.
    CHECK(!both[0].meets(0, 0));
    CHECK(both[0].meets(0, 1));
    CHECK(!both[0].meets(0, 2));
    CHECK(both[0].meets(1, 0));
    CHECK(both[0].meets(1, 2));
    auto const one = of_input_grad({{2, 24, 12, 12}}, {.stride = {1, 2}, .padding = {1, 1}});
    REQUIRE(one.count == 1);
    CHECK(one[0].apart == 2);
}

TEST_CASE("there are phases in any layout, but none without a stride") {
    CHECK(of_input_grad({{2, 24, 12, 12}}, {.padding = {1, 1}}).empty());
    CHECK(of_input_grad<felt::RowMajor>({{2, 24, 12, 12}}, {.stride = {2, 2}}).count == 2);
}

TEST_CASE("derivatives by images with any stride are the plain sums") {
    for (index_t channels : {1, 16, 40, 64})
        for (index_t kernel : {1, 2, 3, 4})
            for (index_t stride : {1, 2, 3})
                for (index_t side : {1, 2, 3, 5, 8}) {
                    CAPTURE(channels);
                    CAPTURE(kernel);
                    CAPTURE(stride);
                    CAPTURE(side);
                    conv_options const o{.stride = {stride, 2},
                                         .padding = {kernel / 2, (kernel - 1) / 2}};
                    felt::extents<4> const e{{2, channels, side, side + 1}};
                    auto const w = test::numbered<images<>>({17, channels, kernel, kernel}, 5);
                    auto const dy =
                        test::numbered<images<>>(conv2d(images<>(e), w, o).extents().value, 3);
                    auto const right = test::near(plainly(dy, w, e, o), 1e-5);
                    CHECK(test::values(conv2d_input_grad(dy, w, e, o)) == right);
                    CHECK(test::values(-conv2d_input_grad(dy * 2 - dy, w, e, o)) ==
                          test::values(-conv2d_input_grad(dy, w, e, o)));
                }
}

TEST_CASE("groups and dilated filters have phases, too") {
    for (index_t groups : {1, 2})
        for (index_t dilation : {1, 2}) {
            conv_options const o{
                .stride = {2, 2}, .padding = {2, 2}, .dilation = {dilation, 1}, .groups = groups};
            felt::extents<4> const e{{2, 32, 9, 10}};
            auto const w = test::numbered<images<>>({32, 32 / groups, 3, 3}, 5);
            auto const dy = test::numbered<images<>>(conv2d(images<>(e), w, o).extents().value, 3);
            auto const in_rows = test::values(
                conv2d_input_grad(images<felt::RowMajor>(dy), images<felt::RowMajor>(w), e, o));
            CHECK(test::values(conv2d_input_grad(dy, w, e, o)) == test::near(in_rows, 1e-5));
        }
}

TEST_CASE("what is not a term is not multiplied: it may be infinite") {
    conv_options const o{.stride = {2, 2}};
    felt::extents<4> const e{{1, 16, 8, 8}};
    images<> w({16, 16, 2, 2}), dy({1, 16, 4, 4});
    w = 1, dy = 1;
    slice(w, felt::all(), felt::all(), felt::range(1, 2), felt::all()) =
        std::numeric_limits<float>::infinity();
    images<> const dx = conv2d_input_grad(dy, w, e, o);
    CHECK(dx(0, 3, 0, 5) == 16);
    CHECK(dx(0, 3, 6, 0) == 16);
    CHECK(dx(0, 3, 1, 5) == std::numeric_limits<float>::infinity());
}
