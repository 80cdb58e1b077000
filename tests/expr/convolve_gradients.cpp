// SPDX-License-Identifier: BSD-3-Clause
//
// The derivatives of convolutions and pools against central differences, in double: of a scalar
// cost of one convolution, and of a chain of layers whose every step back is one expression.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::conv_options;
using felt::index_t;
using felt::pool_options;
using felt::Tensor;
using test::near;
using test::numbered;
using test::plain;
using test::values;

namespace {

using images = Tensor<double, 4>;
using last = Tensor<double, 4, felt::Host, felt::ChannelsLast>;

// The derivative of cost() by the elements of x, which it reads.
template <class X, class F>
plain numerically(X& x, F const& cost) {
    plain g = values(x);
    auto const e = x.extents();
    index_t i = 0;
    double const step = 1e-4;
    test::computed({e[0], e[1], e[2], e[3]}, [&](index_t const* at) {
        double& v = x(at[0], at[1], at[2], at[3]);
        double const was = v;
        v = was + step;
        double const above = cost();
        v = was - step;
        double const below = cost();
        v = was;
        g.values[static_cast<std::size_t>(i++)] = (above - below) / (2 * step);
        return 0.0;
    });
    return near(g, 1e-7);
}

// Numbers of which no two are equal, in no order, in [-1, 1): maxima have no ties.
template <class X>
X distinct(felt::extents<4> const& e, index_t first) {
    X x(e);
    index_t i = first, n = 0;
    test::computed({e[0], e[1], e[2], e[3]}, [&](index_t const* at) {
        x(at[0], at[1], at[2], at[3]) = static_cast<double>(i * 379 % 1021) / 510.5 - 1;
        ++i, ++n;
        return 0.0;
    });
    REQUIRE(n < 1021);
    return x;
}

template <class X>
void check_convolution(conv_options const& o) {
    auto x = numbered<X>({2, 4, 6, 5}), w = numbered<X>({6, 4 / o.groups.value, 3, 2}, 5);
    X const dy = numbered<X>(conv2d(x, w, o).extents().value, 3);
    auto const cost = [&] { return static_cast<double>(sum(dy * conv2d(x, w, o))); };
    CHECK(values(conv2d_input_grad(dy, w, x.extents(), o)) == numerically(x, cost));
    CHECK(values(conv2d_weight_grad(x, dy, w.extents(), o)) == numerically(w, cost));
}

template <class X>
void check_pools(pool_options const& o) {
    auto x = distinct<X>({{2, 3, 7, 6}}, 17);
    X const dy = numbered<X>(avg_pool2d(x, o).extents().value, 3);
    auto const mean = [&] { return static_cast<double>(sum(dy * avg_pool2d(x, o))); };
    auto const most = [&] { return static_cast<double>(sum(dy * max_pool2d(x, o))); };
    CHECK(values(avg_pool2d_grad(dy, x.extents(), o)) == numerically(x, mean));
    CHECK(values(max_pool2d_grad(dy, argmax_pool2d(x, o), x.extents(), o)) == numerically(x, most));
}

// meanpool(sigmoid(conv(maxpool(tanh(conv(x, v))), w))), and its way back.
struct network {
    conv_options same{.padding = {1, 1}};
    pool_options three{.window = {3, 3}, .stride = {2, 2}};
    images x = distinct<images>({{2, 2, 9, 9}}, 3), v = distinct<images>({{3, 2, 3, 3}}, 11);
    images w = distinct<images>({{2, 3, 3, 3}}, 29), dy = distinct<images>({{2, 2, 2, 2}}, 5);

    auto first() const { return tanh(conv2d(x, v, same)); }  // (2, 3, 9, 9)
    auto second() const { return sigmoid(conv2d(max_pool2d(first(), three), w, same)); }
    double cost() const { return sum(dy * avg_pool2d(second())); }  // of (2, 2, 4, 4)
};

}  // namespace

TEST_CASE("a convolution's derivatives are those of its sum, numerically") {
    for (index_t groups : {1, 2})
        for (index_t stride : {1, 2})
            for (index_t dilation : {1, 2}) {
                CAPTURE(groups);
                CAPTURE(stride);
                CAPTURE(dilation);
                conv_options const o{.stride = {stride, 1},
                                     .padding = {1, 2},
                                     .dilation = {1, dilation},
                                     .groups = groups};
                check_convolution<images>(o);
                check_convolution<last>(o);
            }
}

TEST_CASE("a pool's derivatives are those of its sum, numerically") {
    for (index_t window : {2, 3})
        for (index_t stride : {1, 2, 3}) {
            CAPTURE(window);
            CAPTURE(stride);
            pool_options const o{.window = {window, 2}, .stride = {stride, 2}, .padding = {1, 0}};
            check_pools<images>(o);
            check_pools<last>(o);
        }
}

TEST_CASE("the way back through two layers and two pools") {
    network n;
    auto const cost = [&] { return n.cost(); };
    images const a = n.first(), b = n.second(), pooled = max_pool2d(a, n.three);
    images const db = avg_pool2d_grad(n.dy, b.extents()) * b * (1 - b);
    CHECK(values(conv2d_weight_grad(pooled, db, n.w.extents(), n.same)) == numerically(n.w, cost));
    auto const dpooled = conv2d_input_grad(db, n.w, pooled.extents(), n.same);
    images const da =
        max_pool2d_grad(dpooled, argmax_pool2d(a, n.three), a.extents(), n.three) * (1 - a * a);
    CHECK(values(conv2d_weight_grad(n.x, da, n.v.extents(), n.same)) == numerically(n.v, cost));
    CHECK(values(conv2d_input_grad(da, n.v, n.x.extents(), n.same)) == numerically(n.x, cost));
}
