// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/plan/flat_vector.hpp>
#include <utility>
#include <vector>

using felt::planning::flat_vector;

namespace {
std::vector<int> list(flat_vector<int> const& x) { return {x.begin(), x.end()}; }
}  // namespace

TEST_CASE("a vector of what is copied as bytes") {
    flat_vector<int> x;
    CHECK(list(x).empty());
    for (int i = 0; i < 5; ++i) x.push_back(i);
    x.emplace_back() = 7;
    CHECK(list(x) == std::vector<int>{0, 1, 2, 3, 4, 7});
    flat_vector<int> y = x;
    y[1] = 9;
    CHECK((x[1] == 1 && y[1] == 9 && y.back() == 7));
    x = std::move(y);
    CHECK(list(x) == std::vector<int>{0, 9, 2, 3, 4, 7});
    x.assign(3, x[1]);
    CHECK(list(x) == std::vector<int>{9, 9, 9});
    x.reserve(1);
    CHECK(x.size() == 3);
}

TEST_CASE("an element of it may be put into it") {
    flat_vector<int> x(4, 3);
    for (int i = 0; i < 100; ++i) x.push_back(x[0]);
    CHECK(x.size() == 104);
    CHECK(x[103] == 3);
}

TEST_CASE("of nothing there is nothing to copy") {
    flat_vector<int> const none;
    flat_vector<int> x = none;
    CHECK(x.size() == 0);
    x = none;
    CHECK(x.begin() == x.end());
}
