// SPDX-License-Identifier: BSD-3-Clause
//
// Statements that run together, by a rule that says which of them may.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::planning::make_plan;
using felt::planning::node_id;
using felt::planning::statement_id;
using test::nowhere;

namespace {

// Why the second of two statements may not follow the first, if nothing may be read that the other
// one writes, and what is asked for that: "reader<-writer".
struct nothing_shared {
    bool alike = false;
    std::string& asked;

    bool writes_alike(statement_id, statement_id) const { return alike; }
    std::string why_not(statement_id reader, node_id, statement_id writer) const {
        asked += std::to_string(reader.number()) + "<-" + std::to_string(writer.number()) + " ";
        return writer > reader ? "later" : "earlier";
    }
};

}  // namespace

TEST_CASE("a rule is asked for what one statement reads of what the other one writes, only") {
    auto const x = nowhere(1, {30, 40}), y = nowhere(2, {30, 40}), z = nowhere(3, {30, 40});
    auto const why = [](auto const& first, auto const& next, bool alike = false) {
        auto const p = make_plan(first, next);
        std::string asked;
        auto const text = felt::planning::detail::conflict(p.g, 0, 1, nothing_shared{alike, asked});
        return asked + text;
    };
    CHECK(why(assign(y, x), assign(z, x * 2)).empty());
    CHECK(why(assign(y, x), assign(z, y + x)) == "1<-0 earlier");
    CHECK(why(assign(y, x + z), assign(x, z)) == "0<-1 later");
    CHECK(why(assign(y, x), assign(y, z)) == "it writes what an earlier statement writes");
    CHECK(why(assign(y, x), assign(y, z), true).empty());
}

TEST_CASE("a pass takes the next statements up to one that something keeps out") {
    auto const x = nowhere(1, {30, 40}), y = nowhere(2, {30, 40});
    auto const p = make_plan(assign(y, x), assign(y, x), assign(y, x), assign(y, x));
    felt::planning::pass_facts pass{1, 2, 0, 0, {}};
    auto const up_to = [](statement_id last) {
        return [=](statement_id k) { return std::string(k > last ? "too many" : ""); };
    };
    felt::planning::detail::extend(p.g, pass, up_to(2));
    CHECK(pass.last == statement_id(3));
    CHECK(pass.why == "too many");
    felt::planning::detail::extend(p.g, pass, up_to(9));
    CHECK(pass.last == p.g.statements.end_id());
    CHECK(pass.why.empty());
}
