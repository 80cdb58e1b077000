// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/plan/short_list.hpp>
#include <vector>

TEST_CASE("a short list has room for so many values") {
    felt::planning::short_list<int, 2> list;
    CHECK(list.empty());
    list.add(7);
    CHECK_FALSE((list.empty() || list.full()));
    list.add(5);
    CHECK(list.full());
    CHECK(list[1] == 5);
    CHECK(std::vector<int>(list.begin(), list.end()) == std::vector<int>{7, 5});
    CHECK_THROWS_AS(list.add(9), felt::error);
    auto const copy = list;
    CHECK(copy.count == 2);
}
