// SPDX-License-Identifier: BSD-3-Clause
//
// Two sums of one node meet.
#include <cmath>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <functional>
#include <limits>
#include <vector>

using felt::index_t;
using felt::host::slot;
using felt::host::detail::combine_positions;
using felt::host::detail::combine_values;

namespace {

template <class T>
slot slot_of(std::vector<T>& data, std::vector<index_t> const& extent,
             std::vector<index_t> const& stride) {
    slot s;
    s.held = felt::planning::whole_box(extent.data(), static_cast<int>(extent.size()));
    s.data = data.data();
    std::copy(stride.begin(), stride.end(), s.stride);
    return s;
}

using monoid = felt::monoid::max;

// The position of the greatest value of two halves.
index_t best_of(float a, index_t at, float b, index_t then) {
    std::vector<index_t> first{at}, second{then};
    slot into = slot_of(first, {1}, {1}), other = slot_of(second, {1}, {1});
    into.best = &a;
    other.best = &b;
    combine_positions<monoid, float, index_t>(into, other);
    return first[0];
}

}  // namespace

TEST_CASE("sums that lie in other strides meet element by element") {
    std::vector<int> a(12, 0), b{1, 2, 3, 4, 5, 6};
    for (index_t step : {1, 2}) {
        std::fill(a.begin(), a.end(), 10);
        slot into = slot_of(a, {2, 3}, {3 * step, step}), other = slot_of(b, {2, 3}, {3, 1});
        combine_values<std::plus<>, int>(into, other);
        for (int i = 0; i < 6; ++i) CHECK(a[static_cast<std::size_t>(i * step)] == 11 + i);
        into = slot_of(a, {3, 2}, {step, 3 * step});
        other = slot_of(b, {3, 2}, {2, 1});
        combine_values<std::plus<>, int>(into, other);
        CHECK(a[static_cast<std::size_t>(step)] == 12 + 3);      // (1, 0)
        CHECK(a[static_cast<std::size_t>(3 * step)] == 14 + 2);  // (0, 1)
    }
}

TEST_CASE("a single value, and none") {
    std::vector<double> a{3}, b{4};
    slot into = slot_of(a, {}, {}), other = slot_of(b, {}, {});
    combine_values<monoid, double>(into, other);
    CHECK(a[0] == 4);
    into = slot_of(a, {0}, {1}), other = slot_of(b, {0}, {1});
    combine_values<std::plus<>, double>(into, other);
    CHECK(a[0] == 4);
}

TEST_CASE("of two best values the first stays, a NaN beats every number") {
    float const nan = std::nanf(""), least = -std::numeric_limits<float>::infinity();
    CHECK(best_of(3, 5, 4, 9) == 9);
    CHECK(best_of(4, 5, 3, 9) == 5);
    CHECK(best_of(4, 5, 4, 9) == 5);
    CHECK(best_of(4, 5, nan, 9) == 9);
    CHECK(best_of(nan, 5, nan, 9) == 5);
    CHECK(best_of(nan, 5, 4, 9) == 5);
    CHECK(best_of(least, 0, least, 0) == 0);
    CHECK(best_of(least, 0, 1, 9) == 9);
}
