// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/asked.hpp"
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <array>
#include <limits>
#include <vector>

using felt::conv_options;
using felt::index_t;
using felt::planning::row_phase;
using felt::planning::zero_axes;

namespace {

template <class Layout = felt::ChannelsLast>
using images = felt::Tensor<float, 4, felt::Host, Layout>;

template <class Layout = felt::ChannelsLast>
zero_axes of_input_grad(felt::extents<4> const& x, conv_options const& o) {
    images<Layout> w({24, x[1], 3, 3}), dx(x);
    images<Layout> const dy(conv2d(dx, w, o).extents());
    auto const s = assign(dx, conv2d_input_grad(dy, w, x, o));
    auto const p = felt::explain(s);
    return test::product_of(p, 0).zeros;
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

template <class F>
void for_each_tap(images<> const& x, felt::extents<4> const& y, felt::extents<4> const& w,
                  conv_options const& o, F const& f) {
    for (index_t r = 0; r < w[2]; ++r)
        for (index_t s = 0; s < w[3]; ++s)
            for (index_t p = 0; p < y[2]; ++p)
                for (index_t q = 0; q < y[3]; ++q) {
                    index_t const h = p * o.stride[0].value + r - o.padding[0].value;
                    index_t const v = q * o.stride[1].value + s - o.padding[1].value;
                    if (h >= 0 && v >= 0 && h < x.extent(2) && v < x.extent(3)) f(r, s, p, q, h, v);
                }
}
test::plain plain_results(images<> const& x, images<> const& w, felt::extents<4> const& e,
                          conv_options const& o) {
    return test::computed({e[0], e[1], e[2], e[3]}, [&](index_t const* at) {
        double sum = 0;
        for_each_tap(x, e, w.extents(), o,
                     [&](index_t r, index_t s, index_t p, index_t q, index_t h, index_t v) {
                         for (index_t c = 0; c < w.extent(1) && p == at[2] && q == at[3]; ++c)
                             sum += static_cast<double>(x(at[0], c, h, v)) *
                                    static_cast<double>(w(at[1], c, r, s));
                     });
        return sum;
    });
}
test::plain plain_filters(images<> const& x, images<> const& dy, felt::extents<4> const& e,
                          conv_options const& o) {
    return test::computed({e[0], e[1], e[2], e[3]}, [&](index_t const* at) {
        double sum = 0;
        for_each_tap(x, dy.extents(), e, o,
                     [&](index_t r, index_t s, index_t p, index_t q, index_t h, index_t v) {
                         for (index_t n = 0; n < x.extent(0) && r == at[2] && s == at[3]; ++n)
                             sum += static_cast<double>(x(n, at[1], h, v)) *
                                    static_cast<double>(dy(n, at[0], p, q));
                     });
        return sum;
    });
}

}  // namespace

TEST_CASE("results that have a stride are set apart for the derivative by the images") {
    auto const both = of_input_grad({{2, 24, 12, 12}}, {.stride = {2, 3}, .padding = {1, 1}});
    REQUIRE(both.count == 2);
    CHECK(both[0].apart == 2);
    CHECK(both[1].apart == 3);
    // Row 0 meets filter row 1 alone, row 1 the other two.
    CHECK(!both[0].meets(0, 0));
    CHECK(both[0].meets(0, 1));
    CHECK(!both[0].meets(0, 2));
    CHECK(both[0].meets(1, 0));
    CHECK(both[0].meets(1, 2));
    auto const one = of_input_grad({{2, 24, 12, 12}}, {.stride = {1, 2}, .padding = {1, 1}});
    REQUIRE(one.count == 2);
    CHECK(one[0].apart == 1);
    CHECK(one[1].apart == 2);
}

TEST_CASE("there are zeros between and beyond elements in any layout, but none without either") {
    CHECK(of_input_grad<felt::RowMajor>({{2, 24, 12, 12}}, {.stride = {2, 2}}).count == 2);
    images<> const x({2, 24, 12, 12}), w({16, 24, 3, 3});
    images<> y({2, 16, 12, 12}), valid({2, 16, 10, 10});
    auto const padded = assign(y, conv2d(x, w, {.padding = {1, 1}}));
    auto const plan = felt::explain(padded);
    zero_axes const& zeros = test::product_of(plan, 0).zeros;
    REQUIRE(zeros.count == 2);
    CHECK(!zeros[0].meets(0, 0));
    CHECK(zeros[0].meets(0, 1));
    CHECK(zeros[0].meets(11, 1));
    CHECK(!zeros[0].meets(11, 2));
    auto const inside = assign(valid, conv2d(x, w));
    CHECK(test::product_of(felt::explain(inside), 0).zeros.empty());
}

TEST_CASE("rows that have the same terms are a phase") {
    felt::planning::zero_axis axis{{}, {}, -2, 1, 1, 1, 9};
    auto const phases = [&](index_t lo, index_t hi, index_t terms) {
        std::vector<row_phase> all;
        find_phases(axis, {lo, hi}, {0, terms}, all);
        std::vector<std::array<index_t, 5>> said;
        for (row_phase const& p : all)
            said.push_back({p.begin, p.step, p.count, p.terms.first, p.terms.end});
        return said;
    };
    using list = std::vector<std::array<index_t, 5>>;
    CHECK(
        phases(0, 9, 5) ==
        list{{0, 1, 1, 2, 5}, {1, 1, 1, 1, 5}, {2, 1, 5, 0, 5}, {7, 1, 1, 0, 4}, {8, 1, 1, 0, 3}});
    CHECK(phases(3, 6, 5) == list{{3, 1, 3, 0, 5}});
    CHECK(phases(0, 9, 1) == list{{0, 1, 2, 0, 0}, {2, 1, 7, 0, 1}});
    CHECK(phases(4, 4, 5).empty());
    axis.apart = 2, axis.by_term = -1, axis.offset = 1, axis.extent = 4;
    CHECK(phases(0, 8, 3) == list{{0, 2, 4, 1, 2}, {1, 2, 3, 0, 3}, {7, 2, 1, 2, 3}});
}

TEST_CASE("convolutions of padded images are the plain sums") {
    felt::exact_scope const products;
    for (index_t channels : {1, 16, 48, 128})
        for (index_t kernel : {1, 2, 3, 5})
            for (index_t padding : {1, 2, 4})
                for (index_t stride : {1, 2})
                    for (index_t side : {1, 2, 7}) {
                        CAPTURE(channels);
                        CAPTURE(kernel);
                        CAPTURE(padding);
                        CAPTURE(stride);
                        CAPTURE(side);
                        conv_options const o{.stride = {stride, 1}, .padding = {padding, 1}};
                        if (side + 2 * padding < kernel || side + 3 < kernel) continue;
                        auto const w = test::numbered<images<>>({18, channels, kernel, kernel}, 5);
                        auto const x = test::numbered<images<>>({3, channels, side, side + 1}, 3);
                        auto const e = conv2d(x, w, o).extents();
                        auto const right = test::near(plain_results(x, w, e, o), 1e-5);
                        CHECK(test::values(conv2d(x, w, o)) == right);
                        CHECK(test::values(conv2d(x * 2 - x, w, o)) == right);
                        images<> dw(w.extents());
                        auto const dy = test::numbered<images<>>(e.value, 7);
                        dw = conv2d_weight_grad(x, dy, w.extents(), o);
                        auto const by_w = test::near(plain_filters(x, dy, w.extents(), o), 1e-5);
                        CHECK(test::values(dw) == by_w);
                    }
}

TEST_CASE("derivatives by images with any stride are the plain sums") {
    felt::exact_scope const products;
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
    felt::exact_scope const products;
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
