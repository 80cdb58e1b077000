// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/plan/3_tiling/scratch_layout.hpp>

TEST_CASE("rows of a product have room for whole tiles, unless most of it would be room") {
    using felt::planning::detail::padded_columns;
    CHECK(padded_columns(0, 32) == 0);
    CHECK(padded_columns(15, 32) == 15);
    CHECK(padded_columns(16, 32) == 32);
    CHECK(padded_columns(32, 32) == 32);
    CHECK(padded_columns(33, 32) == 64);
}
