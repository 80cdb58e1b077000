// SPDX-License-Identifier: BSD-3-Clause
//
// Statements of several types in one plan, and the better of two.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::planning::make_plan;
using test::nowhere;

TEST_CASE("a plan holds its statements in order, each with its own root") {
    auto const x = nowhere(1, {30, 40}), y = nowhere(2, {30, 40});
    auto const z = nowhere(3, {30});
    auto const p = make_plan(assign(y, exp(x)), assign(z, felt::sum<1>(x)));
    REQUIRE(p.g.statements.size() == 2);
    CHECK(p.g[p.g.statements[0].root].name == std::string("exp"));
    CHECK(p.g[p.g.statements[1].root].name == std::string("sum"));
    CHECK(p.g.statements[0].root < p.g.statements[1].root);
}

TEST_CASE("the better plan comes with the statements that it was made of") {
    auto const x = nowhere(1, {400, 4000}), y = nowhere(2, {400, 4000});
    auto const statements_are_marked = [](auto const& s) {
        using given = std::remove_cvref_t<decltype(s)>;
        return felt::planning::with_best_plan(
            [](felt::planning::plan const& p, auto const& best) {
                CHECK((p.keep != nullptr) ==
                      !std::is_same_v<std::remove_cvref_t<decltype(best)>, given>);
                return p.keep != nullptr;
            },
            s);
    };
    CHECK(statements_are_marked(assign(y, exp(x) / felt::sum<1>(exp(x), felt::keepdims))));
    CHECK_FALSE(statements_are_marked(assign(y, exp(x) + x)));
}
