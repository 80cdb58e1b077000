// SPDX-License-Identifier: BSD-3-Clause
//
// How often values are computed, on plans whose loops are then ordered and cut by hand.
#include "tests/plan/asked.hpp"
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <utility>

using felt::index_t;
using felt::planning::kind;
using felt::planning::loop_id;
using felt::planning::node;
using felt::planning::node_id;
using felt::planning::plan;
using felt::planning::space_id;
using test::nowhere;

namespace detail = felt::planning::detail;

namespace {

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
    plan const p = sums();
    loop_id order[] = {loop_id(0), loop_id(1)};
    index_t const block[] = {16, 16};
    CHECK(detail::recompute(p.g, p.s, 0, reduction(p, 2), order, block) == 1);  // of rows
    CHECK(detail::recompute(p.g, p.s, 0, reduction(p, 1), order, block) == 4);  // of columns
    std::swap(order[0], order[1]);
    CHECK(detail::recompute(p.g, p.s, 0, reduction(p, 2), order, block) == 8);
    CHECK(detail::recompute(p.g, p.s, 0, reduction(p, 1), order, block) == 1);
}

TEST_CASE("loops along which something is computed in common are not shared out") {
    plan const p = sums();
    CHECK(detail::crosses(p.g, p.s, 0, loop_id(0)));
    CHECK(detail::crosses(p.g, p.s, 0, loop_id(1)));
    CHECK(detail::shared_loop(p.g, p.s, 0) == -1);
}

TEST_CASE("every element of a value that follows all loops is computed once") {
    felt::planning::graph g;
    index_t const extent[] = {100, 60};
    space_id const in = g.add_space(extent, 2);
    node& f = g.nodes.add();
    f.rank = 2;
    f.extent[0] = 100;
    f.extent[1] = 60;
    f.at = felt::planning::identity(2);
    felt::planning::schedule s(g);
    loop_id order[] = {loop_id(0), loop_id(1)};
    index_t const block[] = {10, 20};
    CHECK(detail::recompute(g, s, in, 0, order, block) == 1);
    f.rank = f.at.rank = 1;  // a column: once before the inner loop
    CHECK(detail::recompute(g, s, in, 0, order, block) == 1);
    std::swap(order[0], order[1]);  // a column inside the loop over columns
    CHECK(detail::recompute(g, s, in, 0, order, block) == 3);
}

TEST_CASE(
    "an operand is packed again for each step of a loop outside that only the other follows") {
    index_t const m = 1024, n = 2048;
    auto const a = nowhere(1, {m, 200}), b = nowhere(2, {200, n}), y = nowhere(3, {m, n});
    auto const s = assign(y, sigmoid(matmul(a, b)));
    plan const p = felt::explain(s);
    index_t const block[] = {256, 512};
    loop_id order[] = {loop_id(0), loop_id(1)};
    REQUIRE(test::product_of(p, 1).kc >= 200);
    CHECK(detail::repack_factor(p.g, p.s, 1, 0, order, block) == 1);  // rows stay in the inner loop
    CHECK(detail::repack_factor(p.g, p.s, 1, 1, order, block) == 4);
    std::swap(order[0], order[1]);
    CHECK(detail::repack_factor(p.g, p.s, 1, 0, order, block) == 4);
    CHECK(detail::repack_factor(p.g, p.s, 1, 1, order, block) == 1);
}
