// SPDX-License-Identifier: BSD-3-Clause
//
// Trip counts of loops inside of each other.
#include <doctest/doctest.h>
#include <felt/plan/5_hoisting/trip_counts.hpp>

using felt::planning::detail::loop_nest;

TEST_CASE("a loop that does not turn is none") {
    loop_nest nest;
    CHECK(nest.enter(1) == 0);
    CHECK(nest.count == 0);
    CHECK(nest.enter(3) == 1);
    CHECK(nest.enter(5) == 2);
    CHECK(nest.turns(3) == 15);
    CHECK(nest.turns(2) == 5);
}

TEST_CASE("what moves with a loop is asked for anew whenever it or one outside of it turns") {
    loop_nest nest;
    auto const outer = nest.enter(3), middle = nest.enter(5), inner = nest.enter(7);
    CHECK(nest.changes(0) == 1);
    CHECK(nest.changes(outer) == 3);
    CHECK(nest.changes(middle) == 15);
    CHECK(nest.changes(inner) == 105);
    CHECK(nest.changes(outer | middle) == 15);
}

TEST_CASE("more loops than there are bits count as one") {
    loop_nest nest;
    for (int i = 0; i < loop_nest::most; ++i) CHECK(nest.enter(2) != 0);
    CHECK(nest.enter(2) == 0);
}

TEST_CASE("what a value is made of runs inside of the loops that it moves with, and no further") {
    loop_nest nest;
    auto const outer = nest.enter(3);
    nest.enter(5);
    loop_nest inside = nest;
    inside.keep_around(outer);
    CHECK(inside.count == 1);
    CHECK(inside.changes(outer) == 3);
    CHECK(inside.enter(2) == 2);
    inside.keep_around(0);
    CHECK(inside.count == 0);
}
