// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/meshgrid.hpp>

using felt::broadcast_arrays;
using felt::indexing;
using felt::meshgrid;
using felt::Tensor;
using test::computed;
using test::message;
using test::plain;
using test::values;

namespace {
auto const x = Tensor<int, 1>::of({1, 2, 3});
auto const y = Tensor<float, 1>::of({0.5, 0.25});
}  // namespace

TEST_CASE("a grid of two vectors has x along axis 1, or along axis 0 where ij is asked for") {
    auto const [x2, y2] = meshgrid(x, y);
    CHECK(values(x2) == plain{{2, 3}, {1, 2, 3, 1, 2, 3}});
    CHECK(values(y2) == plain{{2, 3}, {0.5, 0.5, 0.5, 0.25, 0.25, 0.25}});
    auto const [xi, yj] = meshgrid<indexing::ij>(x, y);
    CHECK(values(xi) == plain{{3, 2}, {1, 1, 2, 2, 3, 3}});
    CHECK(values(yj) == plain{{3, 2}, {0.5, 0.25, 0.5, 0.25, 0.5, 0.25}});
    CHECK(values(x2 * y2 + 1) == computed({2, 3}, [](auto at) {
              return static_cast<double>(at[1] + 1) * (at[0] == 0 ? 0.5 : 0.25) + 1;
          }));
}

TEST_CASE("grids of one vector and of three, of expressions and of temporaries") {
    auto const [alone] = meshgrid(x);
    CHECK(values(alone) == plain{{3}, {1, 2, 3}});
    auto const [a, b, c] = meshgrid(x * 2, Tensor<float, 1>(y), felt::iota<int>(4));
    CHECK(values(a) ==
          computed({2, 3, 4}, [](auto at) { return static_cast<double>(2 * at[1] + 2); }));
    CHECK(values(b) == computed({2, 3, 4}, [](auto at) { return at[0] == 0 ? 0.5 : 0.25; }));
    CHECK(values(c) == computed({2, 3, 4}, [](auto at) { return static_cast<double>(at[2]); }));
    auto const [none, some] = meshgrid<indexing::ij>(felt::iota(0), x);
    CHECK(values(none) == plain{{0, 3}, {}});
    CHECK(values(some) == plain{{0, 3}, {}});
}

TEST_CASE("arrays are broadcast to where they meet") {
    auto const [a, b, c] = broadcast_arrays(x, expand_dims<1>(y), felt::full({1, 1, 1}, 7));
    CHECK(values(a) == plain{{1, 2, 3}, {1, 2, 3, 1, 2, 3}});
    CHECK(values(b) == plain{{1, 2, 3}, {0.5, 0.5, 0.5, 0.25, 0.25, 0.25}});
    CHECK(values(c) == plain{{1, 2, 3}, {7, 7, 7, 7, 7, 7}});
    CHECK(message([] { (void)broadcast_arrays(x, y); }) ==
          "broadcast_arrays: shapes (3) and (2) do not broadcast");
}

TEST_CASE("grids of named vectors are their memory") {
    auto const [x2, y2] = meshgrid(x, y);
    CHECK(x2.data() == x.data());
    CHECK(y2.data() == y.data());
}
