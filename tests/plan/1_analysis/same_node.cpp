// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <limits>

using felt::planning::detail::same_bits;
using test::nowhere;

namespace {

template <class N>
bool same(N const& a, N const& b) {
    return felt::planning::detail::same_node<N>(&a, &b);
}

}  // namespace

TEST_CASE("numbers are the same by their bits") {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(same_bits(nan, nan));
    CHECK_FALSE(same_bits(0.f, -0.f));
    CHECK(same_bits(3, 3));
}

TEST_CASE("nodes are the same by their own data, whatever their operands are") {
    auto const x = nowhere(1, {3, 4}), y = nowhere(2, {3, 4});
    CHECK(same(exp(x), exp(y)));
    CHECK(same(felt::as_node(x), felt::as_node(x)));
    CHECK_FALSE(same(felt::as_node(x), felt::as_node(y)));
    CHECK_FALSE(same(felt::as_node(2.f), felt::as_node(3.f)));
    CHECK(same(reshape(x + 1, {2, 6}), reshape(y + 1, {2, 6})));
    CHECK_FALSE(same(reshape(x + 1, {2, 6}), reshape(x + 1, {6, 2})));
}
