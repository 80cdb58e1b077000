// SPDX-License-Identifier: BSD-3-Clause
//
// NaN and infinity reach the results that they are terms of, and no others: not another group, not
// what lies between the results of a stride, not another image.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::conv_options;
using felt::index_t;
using test::near;
using test::numbered;
using test::plain;
using test::values;

namespace {

template <class Layout = felt::RowMajor, class T = float>
using images = felt::Tensor<T, 4, felt::Host, Layout>;

double const spoils[] = {test::not_a_number, test::infinity, -test::infinity};

template <class X>
void spoil(X& x, index_t i) {
    x(i % x.extent(0), i * 7 % x.extent(1), i * 5 % x.extent(2), i * 3 % x.extent(3)) =
        static_cast<float>(spoils[i % 3]);
}

// Element p of the results meets element r of a filter at p stride + r dilation - padding.
index_t place(conv_options const& o, std::size_t axis, index_t p, index_t r) {
    return p * o.stride[axis].value + r * o.dilation[axis].value - o.padding[axis].value;
}
bool inside(plain const& x, index_t h, index_t w) {
    return h >= 0 && h < x.extents[2] && w >= 0 && w < x.extents[3];
}

plain convolved(plain const& x, plain const& w, std::vector<index_t> const& results,
                conv_options const& o) {
    index_t const c = w.extents[1], each = w.extents[0] / o.groups.value;
    return test::computed(results, [&](index_t const* at) {
        double sum = 0;
        for (index_t k = 0; k < c * w.extents[2] * w.extents[3]; ++k) {
            index_t const s = k % w.extents[3], r = k / w.extents[3] % w.extents[2];
            index_t const i = k / w.extents[3] / w.extents[2];
            index_t const h = place(o, 0, at[2], r), v = place(o, 1, at[3], s);
            double const from = inside(x, h, v) ? x(at[0], at[1] / each * c + i, h, v) : 0;
            sum += from * w(at[1], i, r, s);
        }
        return sum;
    });
}

// The results reach as far as filters do: where there is none it is 0.
plain by_images(plain const& dy, plain const& w, std::vector<index_t> const& images,
                conv_options const& o) {
    index_t const c = w.extents[1], each = w.extents[0] / o.groups.value;
    return test::computed(images, [&](index_t const* at) {
        double sum = 0;
        for (index_t k = 0; k < each * w.extents[2] * w.extents[3]; ++k) {
            index_t const s = k % w.extents[3], r = k / w.extents[3] % w.extents[2];
            index_t const h = at[2] - place(o, 0, 0, r), v = at[3] - place(o, 1, 0, s);
            index_t const p = h / o.stride[0].value, q = v / o.stride[1].value;
            if (h % o.stride[0].value != 0 || v % o.stride[1].value != 0) continue;
            index_t const j = at[1] / c * each + k / w.extents[3] / w.extents[2];
            bool const met = h >= 0 && v >= 0 && inside(dy, p, q);
            sum += (met ? dy(at[0], j, p, q) : 0) * w(j, at[1] % c, r, s);
        }
        return sum;
    });
}

plain by_filters(plain const& x, plain const& dy, std::vector<index_t> const& filters,
                 conv_options const& o) {
    index_t const c = filters[1], each = filters[0] / o.groups.value;
    return test::computed(filters, [&](index_t const* at) {
        double sum = 0;
        for (index_t k = 0; k < dy.extents[0] * dy.extents[2] * dy.extents[3]; ++k) {
            index_t const q = k % dy.extents[3], p = k / dy.extents[3] % dy.extents[2];
            index_t const n = k / dy.extents[3] / dy.extents[2];
            index_t const h = place(o, 0, p, at[2]), v = place(o, 1, q, at[3]);
            double const from = inside(x, h, v) ? x(n, at[0] / each * c + at[1], h, v) : 0;
            sum += from * dy(n, at[0], p, q);
        }
        return sum;
    });
}

std::vector<index_t> list(felt::extents<4> const& e) { return {e.begin(), e.end()}; }

// Fused, node by node, and within other operations on operands that are computed.
template <class Y, class E, class N>
void check(Y y, E const& e, N const& nested, plain const& expected) {
    run(felt::fused, assign(y, e));
    CHECK(values(y) == near(expected, 1e-3));
    run(felt::unfused, assign(y, e));
    CHECK(values(y) == near(expected, 1e-3));
    y = 1.f * nested + 0.f;
    CHECK(values(y) == near(expected, 1e-3));
}

// `spoilt`: images, filters, derivatives by the results, a bit each.
template <class X, class W>
void check_products(X x, W w, conv_options const& o, unsigned spoilt, index_t seed) {
    auto dy = numbered<X>(conv2d(x, w, o).extents().value, 3);
    if ((spoilt & 1U) != 0) spoil(x, seed);
    if ((spoilt & 2U) != 0) spoil(w, seed + 1);
    if ((spoilt & 4U) != 0) spoil(dy, seed + 2);
    plain const px = values(x), pw = values(w), py = values(dy);
    check(X(dy.extents()), conv2d(x, w, o), conv2d(x + 0.f, w * 1.f, o),
          convolved(px, pw, list(dy.extents()), o));
    check(X(x.extents()), conv2d_input_grad(dy, w, x.extents(), o),
          conv2d_input_grad(dy * 1.f, w + 0.f, x.extents(), o),
          by_images(py, pw, list(x.extents()), o));
    check(W(w.extents()), conv2d_weight_grad(x, dy, w.extents(), o),
          conv2d_weight_grad(x * 1.f, dy + 0.f, w.extents(), o),
          by_filters(px, py, list(w.extents()), o));
}

}  // namespace

TEST_CASE("convolutions and their derivatives: groups, strides, padding, dilation") {
    index_t seed = 0;
    for (index_t groups : {1, 2, 8})
        for (index_t stride : {1, 2, 3})
            for (index_t padding : {0, 1, 2})
                for (unsigned spoilt = 1; spoilt < 8; ++spoilt, ++seed) {
                    CAPTURE(groups);
                    CAPTURE(stride);
                    CAPTURE(padding);
                    CAPTURE(spoilt);
                    conv_options const o{.stride = {stride, stride == 3 ? 2 : stride},
                                         .padding = {padding, 1},
                                         .dilation = {1 + seed % 2, 1},
                                         .groups = groups};
                    index_t const c = seed % 3 == 0 ? 1 : 3, k = seed % 4 == 0 ? 1 : 5;
                    check_products(numbered<images<>>({2, groups * c, 9, 8}),
                                   numbered<images<>>({groups * k, c, 3, 2}, 5), o, spoilt, seed);
                    using last = images<felt::ChannelsLast>;
                    check_products(numbered<last>({2, groups * c * 6, 8, 9}),
                                   numbered<last>({groups * k * 3, c * 6, 3, 3}, 5), o, spoilt,
                                   seed);
                }
}

TEST_CASE("filters of another type are converted before they are taken apart") {
    conv_options const o{.stride = {2, 2}, .groups = 2};
    auto x = numbered<images<felt::RowMajor, double>>({2, 4, 7, 7});
    auto w = numbered<images<>>({6, 2, 3, 3}, 5);
    auto dy = numbered<images<>>({2, 6, 3, 3}, 3);
    spoil(w, 4);
    CHECK(values(conv2d(x, w, o)) == near(convolved(values(x), values(w), {2, 6, 3, 3}, o), 1e-6));
    auto const wide = felt::eval(felt::cast<double>(w));
    CHECK(values(conv2d_input_grad(dy, wide, x.extents(), o)) ==
          near(by_images(values(dy), values(w), {2, 4, 7, 7}, o), 1e-6));
    spoil(dy, 1);
    CHECK(values(conv2d_weight_grad(x, dy, w.extents(), o)) ==
          near(by_filters(values(x), values(dy), {6, 2, 3, 3}, o), 1e-6));
}

TEST_CASE("in one pass with others, and along the groups' own axis") {
    conv_options const o{.padding = {1, 1}, .groups = 6};
    auto x = numbered<images<>>({2, 6, 40, 40});
    auto w = numbered<images<>>({6, 1, 3, 3}, 5);
    spoil(w, 4);
    auto const expected = near(convolved(values(x), values(w), {2, 6, 40, 40}, o), 1e-4);
    images<> y(x.extents()), z(x.extents());
    felt::Tensor<float, 1> by_channel({6});
    felt::fuse(assign(y, conv2d(x, w, o)), assign(z, conv2d(x, w, o) * 1.f),
               assign(by_channel, sum<0, 2, 3>(x)));
    CHECK(values(y) == expected);
    CHECK(values(z) == expected);
}

TEST_CASE("pools and their derivatives, and what is put at places, keep to their images") {
    auto x = numbered<images<>>({3, 4, 9, 9});
    x(1, 2, 4, 4) = static_cast<float>(test::not_a_number);
    x(1, 3, 0, 0) = static_cast<float>(test::infinity);
    // Elements that are not finite, by image and channel: none outside of the two.
    auto const only_there = [](auto const& e) {
        auto const y = felt::eval(sum<2, 3>(where(e - e == 0.f, 0.f, 1.f)));
        index_t elsewhere = 0;
        for (index_t n = 0; n < 3; ++n)
            for (index_t c = 0; c < 4; ++c)
                elsewhere += y(n, c) != 0 && !(n == 1 && c >= 2) ? 1 : 0;
        return elsewhere == 0 && y(1, 2) > 0 && y(1, 3) > 0;
    };
    for (index_t stride : {1, 2, 3}) {
        felt::pool_options const o{.window = {3, 3}, .stride = {stride, stride}};
        images<> const dy = avg_pool2d(x, o);
        CHECK(only_there(dy));
        CHECK(only_there(max_pool2d(x, o)));
        CHECK(only_there(avg_pool2d_grad(dy, x.extents(), o)));
        CHECK(only_there(max_pool2d_grad(dy, argmax_pool2d(x, o), x.extents(), o)));
    }
    auto const reversed = felt::Tensor<index_t, 1>::of({2, 1, 0});
    CHECK(only_there(felt::scatter_add<0>({3, 4, 9, 9}, reversed, x)));
    CHECK(only_there(felt::upsample(x, {2, 2})));
    CHECK(only_there(felt::pad(x, {{0, 0}, {0, 0}, {1, 1}, {2, 2}})));
}
