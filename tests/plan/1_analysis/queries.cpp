// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <felt/plan/1_analysis/queries.hpp>

using felt::planning::make_plan;
using felt::planning::node_id;
using felt::planning::plan;
using test::named;
using test::nowhere;

TEST_CASE("what has no values computed block by block below it is fixed") {
    auto const x = nowhere(1, {300, 400}), y = nowhere(2, {300, 400});
    auto const row = nowhere(3, {400});
    plan const p = make_plan(assign(y, exp(row) + exp(felt::max<1>(x, felt::keepdims))));
    std::vector<bool> fixed;
    for (node_id id : p.g.nodes.ids()) {
        if (p.g[id].name == std::string("exp")) {
            fixed.push_back(felt::planning::detail::is_fixed(p.g, p.s, id));
        }
    }
    CHECK(fixed == std::vector<bool>{true, false});
}

TEST_CASE("a view that shifts what is computed has it computed in its own place") {
    auto const x = nowhere(1, {300, 400}), y = nowhere(2, {302, 400}), z = nowhere(3, {600, 800});
    auto const computes = [](plan const& p, char const* view) {
        return felt::planning::detail::computes_source(p.g, named(p, view));
    };
    CHECK(computes(make_plan(assign(y, pad(exp(x), {{1, 1}, {0, 0}}))), "pad"));
    CHECK_FALSE(computes(make_plan(assign(y, pad(x, {{1, 1}, {0, 0}}))), "pad"));
    CHECK_FALSE(computes(make_plan(assign(z, upsample(exp(x), {2, 2}))), "upsample"));
}

TEST_CASE("the leaf that a view is only other strides of") {
    auto const x = nowhere(1, {300, 400}), y = nowhere(2, {400, 300});
    auto const leaf_below = [](plan const& p, node_id id) {
        return felt::planning::detail::leaf_read_by(p.g, id);
    };
    plan const inside = make_plan(assign(y, transpose(pad(x, {{0, 0}, {0, 0}}))));
    CHECK(leaf_below(inside, node_id(0)) == node_id(2));
    CHECK(leaf_below(inside, node_id(2)) == node_id(2));
    plan const computed = make_plan(assign(y, transpose(exp(x))));
    CHECK_FALSE(bool(leaf_below(computed, node_id(0))));
    auto const z = nowhere(3, {402, 300});
    plan const around = make_plan(assign(z, pad(transpose(x), {{1, 1}, {0, 0}})));
    CHECK_FALSE(bool(leaf_below(around, node_id(0))));
}
