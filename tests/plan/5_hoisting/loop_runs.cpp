// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <felt/plan/5_hoisting/loop_runs.hpp>

using felt::planning::graph;
using felt::planning::loop_id;
using felt::planning::node;
using felt::planning::schedule;
using felt::planning::way;
using felt::planning::detail::node_run;
using felt::planning::detail::space_run;

namespace {

// A node of (100, 30) whose axes are the loops.
node of_two_loops() {
    node f{};
    f.rank = 2;
    f.extent[0] = 100, f.extent[1] = 30;
    f.at = felt::planning::identity(2);
    return f;
}

// The boxes of a node that reaches its reader so.
node_run run_of(node const& f, space_run const& in, way by = way::streamed) {
    graph g;
    g.nodes.add(f);
    schedule s(g);
    s.nodes[0].by = by;
    return felt::planning::detail::run_of(g, s, 0, in);
}

}  // namespace

TEST_CASE("a loop goes by its block, on average by less") {
    space_run s;
    s.enter(loop_id(0), 10, 0, 4);
    CHECK(s.length[0] == doctest::Approx(10 / 3.0));
    CHECK(s.around.turns(s.moves[0]) == 3);
    s.enter(loop_id(1), 4, 0, 4);  // at once
    CHECK(s.moves[1] == 0);
    CHECK(s.length[1] == 4);
    s.enter(loop_id(2), 2.5, s.moves[0], 1);  // two or three, inside of the first
    CHECK(s.around.turns(s.moves[2]) == 7.5);
    CHECK(s.length[2] == 1);
}

TEST_CASE("a box follows the loops that move it, and is asked for when they turn") {
    space_run s;
    s.enter(loop_id(1), 30, 0, 10);
    s.enter(loop_id(0), 100, 0, 25);
    auto const both = run_of(of_two_loops(), s);
    CHECK(both.length[0] == 25);
    CHECK(both.length[1] == 10);
    CHECK(both.asked == 12);
    CHECK(both.times == 1);
    CHECK(both.share == 1);
}

TEST_CASE("what moves with the inner loop alone is computed again for each turn of the outer") {
    space_run s;
    s.enter(loop_id(1), 30, 0, 10);
    s.enter(loop_id(0), 100, 0, 25);
    auto row = of_two_loops(), column = of_two_loops();
    row.at.coef[0][0] = 0, row.extent[0] = 1;
    CHECK(run_of(row, s).asked == 3);
    CHECK(run_of(row, s).times == 1);
    column.at.coef[1][1] = 0, column.extent[1] = 1;
    CHECK(run_of(column, s).asked == 12);
    CHECK(run_of(column, s).times == 3);
}

TEST_CASE("what is hoisted is computed once, and boxes of windows overlap") {
    space_run s;
    s.enter(loop_id(1), 30, 0, 10);
    s.enter(loop_id(0), 96, 0, 24);
    auto f = of_two_loops();
    CHECK(run_of(f, s, way::hoisted).asked == 1);
    CHECK(run_of(f, s, way::hoisted).box() == 3000);
    f.at.coef[0][1] = 1;  // the axis follows both loops: 24 + 10 - 1 of it
    CHECK(run_of(f, s, way::scratch).length[0] == 33);
    CHECK(run_of(f, s, way::scratch).share > 1);
}
