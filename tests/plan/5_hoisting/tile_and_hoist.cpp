// SPDX-License-Identifier: BSD-3-Clause
//
// Statements alone: what is written directly, what is cut into blocks, what is computed first.
#include "tests/plan/asked.hpp"
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <string>

using felt::index_t;
using felt::planning::kind;
using felt::planning::node_id;
using felt::planning::placement;
using felt::planning::plan;
using felt::planning::way;
using test::nowhere;

TEST_CASE("a product of what lies in memory is written where it belongs") {
    auto const a = nowhere(1, {1000, 300}), b = nowhere(2, {300, 700}), y = nowhere(3, {1000, 700});
    CHECK(test::product_of(felt::explain(assign(y, matmul(a, b))), 0).direct);
    CHECK_FALSE(test::product_of(felt::explain(assign(y, exp(matmul(a, b)))), 1).direct);
    CHECK(test::scratch_of(felt::explain(assign(y, matmul(a, b) + 0)), 1) > 0);
}

TEST_CASE("blocks fit, and cut what is cheapest") {
    auto const a = nowhere(1, {4000, 64}), b = nowhere(2, {64, 50}), y = nowhere(3, {4000, 50});
    auto const s = assign(y, felt::softmax<1>(matmul(a, b)));
    plan const p = felt::explain(s);
    CHECK(p.s.spaces[0].block[0] <= 4000);
    CHECK(p.s.spaces[0].block[1] == 50);
    CHECK(p.fused());
}

TEST_CASE("what wastes most is computed first, with a reason") {
    auto const a = nowhere(1, {1280, 64}), b = nowhere(2, {64, 1280}), y = nowhere(3, {1280, 1280});
    auto const c = matmul(a, b) / 64;
    auto const s = assign(y, matmul(c, relu(c)) * 1);
    plan const p = felt::explain(s);
    int hoisted = 0;
    for (node_id id : p.g.nodes.ids()) {
        placement const& f = p.s[id];
        if (f.by != way::hoisted || felt::planning::is_reused(p.s, id)) continue;
        ++hoisted;
        CHECK(p.g[id].what == kind::contract);
        CHECK(std::string(f.why) == "inside of its loops it would be computed more than 1.5 times");
        CHECK(f.reused == nullptr);
    }
    CHECK(hoisted == 1);
}

TEST_CASE("a scan has all of its axis, goes on from block to block, or is computed first") {
    auto const scan_of = [](plan const& p) {
        for (node_id id : p.g.nodes.ids()) {
            if (p.g[id].what == kind::scan) return p.s[id];
        }
        FAIL("no scan");
        return placement{};
    };
    auto const x = nowhere(1, {4000, 300}), y = nowhere(2, {4000, 300});
    auto const whole = scan_of(felt::explain(assign(y, exp(felt::cumsum<1>(x)) + y)));
    CHECK((whole.by == way::scratch && !whole.carried && whole.held[1] == 300));
    CHECK(whole.held[0] < 4000);
    CHECK(scan_of(felt::explain(assign(y, exp(felt::cumsum<0>(x))))).held[0] == 4000);
    auto const u = nowhere(1, {3, 4000000}), v = nowhere(2, {3, 4000000});
    CHECK(scan_of(felt::explain(assign(v, felt::cumsum<1>(u)))).reused != nullptr);
    plan const p = felt::explain(assign(v, felt::cumsum<1>(u) * 2));
    CHECK((scan_of(p).by == way::scratch && scan_of(p).carried && p.fused()));
    CHECK(p.s.spaces[0].block[1] < 4000000);
    CHECK(p.s.spaces[0].order[1] == 1);
    CHECK(p.passes()[0].shared_out.loop != 1);
    auto const flipped = scan_of(felt::explain(assign(v, flip<1>(felt::cumsum<1>(u)) * v)));
    CHECK(flipped.by == way::hoisted);
}
