// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <support/principal.hpp>
#include <cmath>

using table = felt::Tensor<float, 2>;

TEST_CASE("points on a line have one principal component, along it") {
    auto const x = table::of({{1, 2}, {4, 6}, {7, 10}, {-2, -2}});  // 3 to 4
    auto const p = support::principal(x, 0.999);
    REQUIRE(p.directions.extents() == felt::extents<2>{{2, 1}});
    CHECK(std::abs(p.directions(0, 0)) == doctest::Approx(0.6));
    CHECK(std::abs(p.directions(1, 0)) == doctest::Approx(0.8));
    CHECK(p.share == doctest::Approx(1));
    CHECK(p.variances(0) == doctest::Approx(125. / 3));  // of 5 times -1.5, -.5, .5, 1.5
    auto const y = p.of(x);
    CHECK(std::abs(y(2, 0) - y(0, 0)) == doctest::Approx(10));
    CHECK(float(felt::sum(y)) == doctest::Approx(0));
}

TEST_CASE("components fall in variance, are uncorrelated, and as many as the share needs") {
    auto const scale = felt::Tensor<float, 1>::of({4, 2, 1, 0.5});
    table const x = felt::normal<float>({2000, 4}, 3) * scale;
    CHECK(support::principal(x, 0.7).directions.extent(1) == 1);   // 16 / 21.25
    CHECK(support::principal(x, 0.9).directions.extent(1) == 2);   // 20
    CHECK(support::principal(x, 0.97).directions.extent(1) == 3);  // 21
    auto const p = support::principal(x);
    REQUIRE(p.directions.extent(1) == 4);
    table const y = p.of(x), c = felt::cov(felt::transpose(y));
    for (felt::index_t i = 0; i < 4; ++i) {
        if (i > 0) CHECK(p.variances(i) < p.variances(i - 1));
        for (felt::index_t k = 0; k < 4; ++k)
            CHECK(c(i, k) == doctest::Approx(i == k ? p.variances(i) : 0).epsilon(1e-3).scale(1));
    }
    // Back by the transpose: directions are orthonormal.
    CHECK(float(felt::max(felt::abs(felt::matmul(y, felt::transpose(p.directions)) + p.mean - x))) <
          1e-4);
}

TEST_CASE("rows that are all the same keep one component, and bad requests are errors") {
    auto const p = support::principal(table::of({{1, 2}, {1, 2}}));
    CHECK(p.directions.extent(1) == 1);
    CHECK(p.share == 1);
    CHECK_THROWS_AS(support::principal(table::of({{1, 2}})), felt::error);
    CHECK_THROWS_AS(support::principal(table::of({{1, 2}, {3, 4}}), 0), felt::error);
}
