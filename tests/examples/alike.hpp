// SPDX-License-Identifier: BSD-3-Clause
//
// Costs of two training runs, which are alike to rounding.
#pragma once
#include <doctest/doctest.h>
#include <vector>

namespace test {

inline void check_costs(std::vector<double> const& a, std::vector<double> const& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-4));
}

}  // namespace test
