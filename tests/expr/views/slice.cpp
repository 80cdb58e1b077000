// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/slice.hpp>
#include <cstdint>

using felt::all;
using felt::range;
using felt::slice;
using felt::Tensor;
using test::computed;
using test::message;
using test::numbered;
using test::plain;
using test::values;

namespace {
auto const x = Tensor<int, 2>::of({{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}});
}

TEST_CASE("a slice has a part for every axis: a range, all of it, or one index") {
    CHECK(values(slice(x, range(0, 2), all())) == plain{{2, 4}, {0, 1, 2, 3, 4, 5, 6, 7}});
    CHECK(values(slice(x, all(), 1)) == plain{{3}, {1, 5, 9}});
    CHECK(values(slice(x, 2, range(1, 3))) == plain{{2}, {9, 10}});
    CHECK(values(slice(x, 1, 2)) == plain{{}, {6}});
    CHECK(values(slice(x, range(0, 3, 2), range(0, 4, 3))) == plain{{2, 2}, {0, 3, 8, 11}});
}

TEST_CASE("negative positions count from the end, and a range may be empty") {
    CHECK(values(slice(x, -1, range(-2, 4))) == plain{{2}, {10, 11}});
    CHECK(values(slice(x, range(0, -1), -1)) == plain{{2}, {3, 7}});
    CHECK(values(slice(x, range(2, 2), all())) == plain{{0, 4}, {}});
    CHECK(values(slice(x, range(2, 1), all())) == plain{{0, 4}, {}});
    CHECK(values(slice(x, range(3, 3), 0)) == plain{{0}, {}});
}

TEST_CASE("positions come from any integer type") {
    CHECK(values(slice(x, std::size_t{1}, range(std::uint8_t{1}, 3L))) == plain{{2}, {5, 6}});
}

TEST_CASE("a slice of an expression has the elements of the slice of its value") {
    auto const y = numbered<Tensor<float, 3>>({4, 37, 9});
    auto const a = values(y);
    CHECK(values(slice(y * 2, 3, range(1, 36, 5), range(2, 9))) ==
          computed({7, 7}, [&](auto at) { return 2 * a(3, 1 + 5 * at[0], 2 + at[1]); }));
    CHECK(values(slice(sum<2>(y), range(1, 4, 2), 30)) == computed({2}, [&](auto at) {
              double sum = 0;
              for (int k = 0; k < 9; ++k) sum += a(1 + 2 * at[0], 30, k);
              return sum;
          }));
}

TEST_CASE("what lies outside is an error that says where") {
    CHECK(message([] { (void)slice(x, 3, all()); }) == "slice: 3 is outside axis 0 of extent 3");
    CHECK(message([] { (void)slice(x, all(), range(0, 5)); }) ==
          "slice: 5 is outside axis 1 of extent 4");
    CHECK(message([] { (void)slice(x, -4, all()); }) == "slice: -4 is outside axis 0 of extent 3");
    CHECK(message([] { (void)slice(x, range(0, 2, 0), all()); }) ==
          "slice: step 0 is not positive");
    CHECK_THROWS_AS(slice(x, range(-5, 2), all()), felt::shape_error);
}
