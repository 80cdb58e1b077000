// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/asked.hpp"
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using test::named;

namespace {

using images = felt::Tensor<float, 4>;

}  // namespace

TEST_CASE("lanes along another loop than the destination's save packing all windows") {
    images const x({2, 64, 28, 28}), w({64, 64, 3, 3});
    images y({2, 64, 26, 26});
    auto const s = assign(y, relu(conv2d(x, w)));
    auto const p = felt::explain(s);
    CHECK(p.s[p.g.statements[0].space].lane == 1);  // channels, and results are transposed
    CHECK(test::product_of(p, named(p, "conv2d")).left_in_place);
}

TEST_CASE("below a pooling window the convolution has its own lanes, and whole columns") {
    images const x({2, 64, 30, 30}), w({64, 64, 3, 3});
    images y({2, 64, 14, 14});
    auto const s = assign(y, felt::max_pool2d(relu(conv2d(x, w))));
    auto const p = felt::explain(s);
    auto const id = named(p, "conv2d");
    auto const& product = p.s[id];
    CHECK(p.s[p.g[id].space].lane == 1);
    CHECK(test::product_of(p, id).left_in_place);
    CHECK(product.held[1] >= 32);
    CHECK(test::times_of(p, id) <= 1.5);
    CHECK(p.fused());
}

TEST_CASE("what votes for the destination's lanes keeps them where nothing is saved") {
    felt::Tensor<float, 2> const a({300, 40}), b({40, 500});
    felt::Tensor<float, 2> y({300, 500});
    auto const s = assign(y, sigmoid(matmul(a, b)));
    auto const p = felt::explain(s);
    CHECK(p.s[p.g.statements[0].space].lane == 1);
}

TEST_CASE(
    "functions of few channels run along the destination's rows, the product along channels") {
    images const x({8, 1, 28, 28}), w({20, 1, 9, 9}), b({1, 20, 1, 1});
    images a({8, 20, 20, 20}), h({8, 20, 10, 10});
    auto const s = assign(a, sigmoid(conv2d(x, w) + b));
    auto const p = felt::explain(s);
    auto const& in = p.s[p.g.statements[0].space];
    CHECK(in.lane == 3);
    CHECK(in.columns == 1);
    CHECK(test::product_of(p, 2).axes.n.last() == 1);
    CHECK(test::product_of(p, named(p, "conv2d")).left_in_place);
    CHECK(in.block[1] == 20);
    auto const pooled = assign(h, felt::avg_pool2d(sigmoid(conv2d(x, w) + b)));
    auto const q = felt::explain(pooled);
    auto const id = named(q, "conv2d");
    auto const& product = q.s[id];
    CHECK(q.s[q.g[id].space].lane == 3);
    CHECK(q.s[q.g[id].space].columns == 1);
    CHECK(product.held[1] == 20);
    CHECK(test::product_of(q, id).left_in_place);
}

TEST_CASE("few columns do not turn a product whose rows are computed along their terms") {
    felt::Tensor<float, 3> const a({16, 100, 64}), b({16, 64, 8});
    felt::Tensor<float, 3> y({16, 100, 8});
    auto const p = felt::explain(assign(y, matmul(a - felt::mean<0>(a, felt::keepdims), b)));
    auto const& product = test::product_of(p, named(p, "matmul"));
    CHECK(product.rows_from == 0);
    CHECK(product.computes_left);
    CHECK(product.right_in_place);
}

TEST_CASE_TEMPLATE("windows of eight filters are read where they lie, pooled or not", Layout,
                   felt::RowMajor, felt::ChannelsLast) {
    using tensor = felt::Tensor<float, 4, felt::Host, Layout>;
    images const x({64, 1, 28, 28});
    tensor const w({8, 1, 9, 9});
    tensor a({64, 8, 20, 20}), h({64, 8, 10, 10});
    auto const p = felt::explain(assign(a, felt::sigmoid(conv2d(x, w))));
    auto const q = felt::explain(assign(h, felt::avg_pool2d(felt::sigmoid(conv2d(x, w)))));
    for (auto const* made : {&p, &q}) {
        auto const& product = test::product_of(*made, named(*made, "conv2d"));
        CHECK(product.axes.n.last() == 1);
        CHECK(product.left_in_place);
    }
}
