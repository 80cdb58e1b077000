// SPDX-License-Identifier: BSD-3-Clause
//
// What blocks cost, on plans whose blocks are then chosen anew by hand.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::kind;
using felt::planning::node_id;
using felt::planning::plan;
using test::nowhere;

namespace detail = felt::planning::detail;

namespace {

constexpr index_t m = 1024, n = 2048;

}  // namespace

TEST_CASE("few rows or columns of a product cost more, what sums them does not") {
    auto const a = nowhere(1, {m, 64}), b = nowhere(2, {64, n}), y = nowhere(3, {m, n});
    auto const r = nowhere(4, {m});
    auto const s = assign(y, sigmoid(matmul(a, b)));
    plan const p = felt::explain(s);
    index_t const many[] = {m, n}, few[] = {4, n}, narrow[] = {m, 16};
    CHECK(detail::small_tile_penalty(p.g, p.s, 1, many) < 1.02);
    CHECK(detail::small_tile_penalty(p.g, p.s, 1, few) > 2.9);
    CHECK(detail::small_tile_penalty(p.g, p.s, 1, narrow) > 1.9);
    auto const t = assign(r, sum<1>(matmul(a, b)));
    plan const q = felt::explain(t);
    index_t const rows[] = {m};
    CHECK(detail::small_tile_penalty(q.g, q.s, 0, rows) < 1.02);
}

TEST_CASE("a scan along its rows has rows to go on with while one waits") {
    auto const x = nowhere(1, {m, n}), y = nowhere(2, {m, n});
    auto const s = assign(y, felt::cumsum<1>(x));
    plan const p = felt::explain(s);
    index_t const row[] = {1, n}, few[] = {16, n}, many[] = {m, n};
    CHECK(detail::waits(p.g, p.s, 0, row) == 16);
    CHECK(detail::waits(p.g, p.s, 0, few) == 1);
    CHECK(detail::waits(p.g, p.s, 0, many) == 1);
    CHECK(p.s.spaces[0].block[0] >= 16);
    auto const t = assign(y, felt::cumsum<0>(x));
    plan const q = felt::explain(t);
    CHECK(detail::waits(q.g, q.s, 0, row) == 1);
}

TEST_CASE("an equal value is computed again where a cut parts it from what holds it") {
    auto const x = nowhere(1, {m, n}), y = nowhere(2, {m, n});
    auto const s = assign(y, felt::softmax<1>(x));
    plan const p = felt::explain(s);
    index_t const whole[] = {m, n}, rows[] = {8, n}, parts[] = {m, n / 2};
    CHECK(detail::work_of_equal_nodes(p.g, p.s, 0, whole) == 0);
    CHECK(detail::work_of_equal_nodes(p.g, p.s, 0, rows) == 0);
    CHECK(detail::work_of_equal_nodes(p.g, p.s, 0, parts) >= p.g.nodes[1].work);
}

TEST_CASE(
    "boxes of a maximum over padded windows compute again where they overlap, and stay large") {
    auto const x = nowhere<float, felt::ChannelsLast>(1, {1, 256, 28, 28});
    auto const y = nowhere<float, felt::ChannelsLast>(2, {1, 256, 28, 28});
    auto const s =
        assign(y, max_pool2d(x, {.window = {3, 3}, .stride = {1, 1}, .padding = {1, 1}}));
    plan const p = felt::explain(s);
    index_t const whole[] = {1, 256, 28, 28}, pixels[] = {1, 256, 1, 2};
    double const pad = p.g.nodes[2].work;
    CHECK(detail::work_of_overlap(p.g, p.s, 0, whole) == 0);
    CHECK(detail::work_of_overlap(p.g, p.s, 0, pixels) > 4 * pad);
    index_t const* const block = p.s.spaces[0].block;
    CHECK(detail::work_of_overlap(p.g, p.s, 0, block) < 0.25 * pad);
}

TEST_CASE("an operand of a product is packed again for each block that it does not move with") {
    auto const a = nowhere(1, {m, 4096}), b = nowhere(2, {4096, n}), y = nowhere(3, {m, n});
    plan const p = felt::explain(assign(y, sigmoid(matmul(a, b))));
    felt::planning::loop_id const order[] = {felt::planning::loop_id(0),
                                             felt::planning::loop_id(1)};
    index_t const whole[] = {m, n}, rows[] = {m / 4, n};
    double const once = detail::work_of(p.g, p.s, felt::planning::space_id(0), order, whole);
    double const again = detail::work_of(p.g, p.s, felt::planning::space_id(0), order, rows);
    auto const& product = p.g.nodes[1];
    int const right = 1 - p.s[product.product].rows_from;
    double const operand = detail::work_of_operand(p.g, p.s, node_id(1), right);
    CHECK(operand > 4096 * n);
    CHECK(again - once >= 3 * operand);
}
