// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/asked.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::index_t;
using felt::planning::label_list;
using felt::planning::plan;

namespace {

template <class Layout>
using images = felt::Tensor<float, 4, felt::Host, Layout>;

std::vector<int> list(label_list const& of) { return {of.begin(), of.end()}; }

// The plan of relu(conv2d(x, w)), and how its product is computed.
struct planned {
    plan p;
    felt::planning::node_id id;
    felt::planning::product_schedule product;
};
template <class Layout, class F>
planned of_convolution(index_t padding, F check) {
    images<Layout> const x({2, 32, 12, 12}), w({48, 32, 3, 3});
    index_t const n = 10 + 2 * padding;
    images<Layout> y({2, 48, n, n});
    auto const s = assign(y, relu(conv2d(x, w, {.padding = {padding, padding}})));
    planned r{felt::explain(s), 1, {}};
    r.product = test::product_of(r.p, 1);
    check(r);
    return r;
}

}  // namespace

TEST_CASE("labels of a matrix product are rows, columns and shared") {
    felt::Tensor<float, 2> const a({40, 50}), b({50, 60});
    felt::Tensor<float, 2> y({40, 60});
    auto const s = assign(y, matmul(a, b) + 1);
    auto const p = felt::explain(s);
    auto const& axes = test::product_of(p, 1).axes;
    CHECK(list(axes.m) == std::vector<int>{0});
    CHECK(list(axes.n) == std::vector<int>{1});
    CHECK(list(axes.k) == std::vector<int>{2});
    CHECK(axes.batch.count == 0);
    CHECK(felt::planning::detail::lies_in_place(p.g, p.s, 1, 0));
    CHECK(felt::planning::detail::lies_in_place(p.g, p.s, 1, 1));
    CHECK(felt::planning::detail::memory_below(p.g, 2) == felt::planning::node_id(2));
}

// Labels of conv2d: n o p q | g c r s.
TEST_CASE("channels that lie together are the last shared terms, pixels the rows") {
    of_convolution<felt::ChannelsLast>(0, [](planned const& r) {
        CHECK(list(r.product.axes.n) == std::vector<int>{1});
        CHECK(list(r.product.axes.m) == std::vector<int>{0, 2, 3});
        CHECK(list(r.product.axes.k) == std::vector<int>{4, 6, 7, 5});
        CHECK(felt::planning::detail::lies_in_place(r.p.g, r.p.s, r.id, 0));
        CHECK(!r.product.left_boxed);
    });
    of_convolution<felt::RowMajor>(0, [](planned const& r) {
        CHECK(list(r.product.axes.k).back() == 7);
        CHECK(felt::planning::detail::lies_in_place(r.p.g, r.p.s, r.id, 0));
    });
}

TEST_CASE("padded images are read from a box, which is made ready for all of a filter") {
    felt::exact_scope const products;
    of_convolution<felt::ChannelsLast>(1, [](planned const& r) {
        auto const& f = r.product;
        CHECK(f.left_boxed);
        CHECK((f.boxed_whole & (1U << 6 | 1U << 7)) == (1U << 6 | 1U << 7));
        CHECK((f.boxed_whole & 1U << 5) == 0);
        CHECK(felt::planning::detail::lies_in_box(r.p.g, r.p.s, r.p.g.operand(r.id, 0)));
        CHECK(!felt::planning::detail::lies_in_box(r.p.g, r.p.s, r.p.g.operand(r.id, 1)));
    });
}
