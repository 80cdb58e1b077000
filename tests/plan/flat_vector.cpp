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
    x.clear();
    CHECK(list(x).empty());
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

TEST_CASE("memory that was left is taken again") {
    constexpr std::size_t n = 3000;
    flat_vector<int> x(n, 1);
    int const* const first = x.begin();
    x = flat_vector<int>();
    flat_vector<int> const y(n - 1, 2);
    CHECK(y.begin() == first);
    std::vector<flat_vector<int>> many(20, y);  // more than are kept
    many.clear();
    flat_vector<int> const large(std::size_t{1} << 20, 3);
    CHECK((large[0] == 3 && large.size() == std::size_t{1} << 20));
}
