// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/plan/stage_seconds.hpp>

TEST_CASE("a stage that was not measured took nothing") {
    felt::planning::stage_seconds took;
    CHECK(took.of(felt::planning::node_id(3)) == 0);
    took.of_node.fill(2, 1.5);
    CHECK(took.of(felt::planning::node_id(1)) == 1.5);
    CHECK(took.of(felt::planning::node_id(2)) == 0);
}
