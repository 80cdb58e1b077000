// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of a pass.
#include <doctest/doctest.h>
#include <felt/plan/statements.hpp>

TEST_CASE("a pass without parts has one, the last of several may be shorter") {
    felt::planning::pass_facts pass;
    pass.extent = 1000;
    CHECK(pass.parts() == 1);
    pass.part = 300;
    CHECK(pass.parts() == 4);
    pass.part = 250;
    CHECK(pass.parts() == 4);
}
