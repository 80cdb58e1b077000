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

// A sum for each column, and one for each row, beside a matrix too small to be shared out.
plan sums() {
    auto const x = nowhere(1, {64, 128}), y = nowhere(2, {64, 128});
    return felt::explain(assign(y, x - sum<0>(x, felt::keepdims) * sum<1>(x, felt::keepdims)));
}
node_id reduction(plan const& p, unsigned mask) {
    for (node_id id : p.g.nodes.ids()) {
        if (p.g[id].what == kind::reduce && p.g[id].mask == mask) return id;
    }
    throw felt::error("no such reduction");
}

}  // namespace

TEST_CASE("what does not follow the inner loop stays, what does not follow the outer returns") {
    plan p = sums();
    int(&order)[felt::planning::max_axes] = p.s.spaces[0].order;
    order[0] = 0;
    order[1] = 1;
    index_t const block[] = {16, 16};
    CHECK(detail::recompute(p.g, p.s, 0, reduction(p, 2), block) == 1);  // of rows
    CHECK(detail::recompute(p.g, p.s, 0, reduction(p, 1), block) == 4);  // of columns
    std::swap(order[0], order[1]);
    CHECK(detail::recompute(p.g, p.s, 0, reduction(p, 2), block) == 8);
    CHECK(detail::recompute(p.g, p.s, 0, reduction(p, 1), block) == 1);
}

TEST_CASE("loops along which something is computed in common are not shared out") {
    plan const p = sums();
    CHECK(detail::crosses(p.g, p.s, 0, 0));
    CHECK(detail::crosses(p.g, p.s, 0, 1));
    CHECK(detail::shared_loop(p.g, p.s, 0) == -1);
}

TEST_CASE("few rows or columns of a product cost more, what sums them does not") {
    auto const a = nowhere(1, {m, 64}), b = nowhere(2, {64, n}), y = nowhere(3, {m, n});
    auto const r = nowhere(4, {m});
    auto const s = assign(y, sigmoid(matmul(a, b)));
    plan const p = felt::explain(s);
    index_t const many[] = {m, n}, few[] = {4, n}, narrow[] = {m, 16};
    CHECK(detail::thin(p.g, p.s, 1, many) < 1.02);
    CHECK(detail::thin(p.g, p.s, 1, few) > 2.9);
    CHECK(detail::thin(p.g, p.s, 1, narrow) > 1.9);
    auto const t = assign(r, sum<1>(matmul(a, b)));
    plan const q = felt::explain(t);
    index_t const rows[] = {m};
    CHECK(detail::thin(q.g, q.s, 0, rows) < 1.02);
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
    CHECK(detail::work_of_twins(p.g, p.s, 0, whole) == 0);
    CHECK(detail::work_of_twins(p.g, p.s, 0, rows) == 0);
    CHECK(detail::work_of_twins(p.g, p.s, 0, parts) >= p.g.nodes[1].work);
}
