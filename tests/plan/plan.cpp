// SPDX-License-Identifier: BSD-3-Clause
//
// Where memory begins and ends, by which aliases are found; and what a plan holds.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::make_plan;
using felt::planning::plan;
using felt::planning::detail::overlap;
using felt::planning::detail::range_of;

TEST_CASE("the range of a strided block holds its first and last element, whatever the signs") {
    float x[100];
    index_t const extent[] = {3, 4}, rows[] = {10, 1}, back[] = {10, -1}, none[] = {3, 0};
    auto const bytes = [&](auto const& r) {
        return std::pair{r.lo - reinterpret_cast<char*>(x), r.hi - reinterpret_cast<char*>(x)};
    };
    CHECK(bytes(range_of(x, extent, rows, 2, 4)) ==
          std::pair<std::ptrdiff_t, std::ptrdiff_t>{0, 96});
    CHECK(bytes(range_of(x + 3, extent, back, 2, 4)) ==
          std::pair<std::ptrdiff_t, std::ptrdiff_t>{0, 96});
    auto const empty = range_of(x, none, rows, 2, 4);
    CHECK(empty.lo == empty.hi);
    CHECK_FALSE(overlap(empty, range_of(x, extent, rows, 2, 4)));
    CHECK_FALSE(overlap(range_of(x, extent, rows, 2, 4), range_of(x + 24, extent, rows, 2, 4)));
    CHECK(overlap(range_of(x, extent, rows, 2, 4), range_of(x + 23, extent, rows, 2, 4)));
}

TEST_CASE("a plan counts what its statements compute and move") {
    auto const x = test::nowhere(1, {30, 40}), y = test::nowhere(2, {30, 40});
    auto const s = assign(y, x * x);
    plan const p = make_plan(s);
    CHECK(p.fused());
    CHECK(p.flops() == 30 * 40);
    CHECK(p.bytes() == 2 * 30 * 40 * 4);
}
