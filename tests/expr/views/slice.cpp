// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/slice.hpp>
#include <cstdint>

using felt::all;
using felt::ellipsis;
using felt::from;
using felt::range;
using felt::slice;
using felt::Tensor;
using felt::until;
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
    CHECK(message([] { (void)slice(x, range(0, 2, 0), all()); }) == "slice: step 0");
    CHECK_THROWS_AS(slice(x, range(-5, 2), all()), felt::shape_error);
}

TEST_CASE("a range may be open on either side") {
    CHECK(values(slice(x, from(1), until(-2))) == plain{{2, 2}, {4, 5, 8, 9}});
    CHECK(values(slice(x, from(-1), from(1, 2))) == plain{{1, 2}, {9, 11}});
    CHECK(values(slice(x, until(1), until(4, 3))) == plain{{1, 2}, {0, 3}});
    CHECK(values(slice(x, from(3), until(0))) == plain{{0, 0}, {}});
}

TEST_CASE("a negative step goes backwards") {
    CHECK(values(slice(x, 0, range(3, 0, -1))) == plain{{3}, {3, 2, 1}});
    CHECK(values(slice(x, 0, range(-1, 0, -2))) == plain{{2}, {3, 1}});
    CHECK(values(slice(x, 0, from(2, -1))) == plain{{3}, {2, 1, 0}});
    CHECK(values(slice(x, 0, until(1, -1))) == plain{{2}, {3, 2}});
    CHECK(values(slice(x, from(-1, -2), 1)) == plain{{2}, {9, 1}});
    CHECK(values(slice(x, 0, range(1, 3, -1))) == plain{{0}, {}});
    CHECK(values(slice(x, 0, range(4, 4, -1))) == plain{{0}, {}});
    CHECK(values(slice(Tensor<int, 1>({0}), until(0, -1))) == plain{{0}, {}});
}

TEST_CASE("all ranges over an axis have what a loop finds") {
    auto const y = numbered<Tensor<float, 1>>({6});
    auto const a = values(y);
    auto const b = values(y * 2);
    for (int first = 0; first < 6; ++first) {
        for (int last = -1; last <= 6; ++last) {
            for (int step : {-4, -2, -1, 1, 3}) {
                plain expected{{0}, {}};
                for (int i = first; step > 0 ? i < last : i > last;
                     i += step, ++expected.extents[0])
                    expected.values.push_back(a(i));
                auto const part = last == -1  ? step < 0 ? from(first, step) : until(0, step)
                                   : step == 1 ? range(first, last)
                                              : range(first, last, step);
                CHECK(values(slice(y, part)) == expected);
                CHECK(values(slice(y * 2, part) / 2) == expected);
            }
        }
    }
}

TEST_CASE("an ellipsis stands for the axes that are not named") {
    auto const y = numbered<Tensor<float, 3>>({2, 3, 5});
    CHECK(values(slice(y, ellipsis, 0)) == values(slice(y, all(), all(), 0)));
    CHECK(values(slice(y, 1, ellipsis)) == values(slice(y, 1, all(), all())));
    CHECK(values(slice(y, 1, ellipsis, from(2))) == values(slice(y, 1, all(), from(2))));
    CHECK(values(slice(y, 0, ellipsis, 1, 2)) == values(slice(y, 0, 1, 2)));
    CHECK(values(slice(y * 1, ellipsis)) == values(y));
    CHECK(values(slice(sum(x), ellipsis)) == plain{{}, {66}});
}

TEST_CASE("backward slices of matrices, of products, and as destinations") {
    auto const y = numbered<Tensor<float, 2>>({19, 37});
    auto const a = values(y), p = values(matmul(y, transpose(y)));
    auto const expected =
        computed({9, 12}, [&](auto at) { return a(17 - 2 * at[0], 36 - 3 * at[1]); });
    Tensor<float, 2, felt::Host, felt::ColMajor> const c = y;
    CHECK(values(slice(y, range(17, 0, -2), range(-1, 0, -3))) == expected);
    CHECK(values(slice(c, range(17, 0, -2), range(-1, 0, -3))) == expected);
    CHECK(values(slice(y * 2, range(17, 0, -2), range(-1, 0, -3)) / 2) == expected);
    CHECK(values(slice(matmul(y, transpose(y)), from(-1, -5), until(3, -2))) ==
          computed({4, 8}, [&](auto at) { return p(18 - 5 * at[0], 18 - 2 * at[1]); }));
    Tensor<int, 2> d({2, 5});
    slice(d, ellipsis, from(-1, -2)) = felt::iota<int>(3) + 1;
    slice(d, 1, until(2)) += 7;
    CHECK(values(d) == plain{{2, 5}, {3, 0, 2, 0, 1, 10, 7, 2, 0, 1}});
    slice(d, 0, ellipsis) = slice(d, 0, from(-1, -1));  // in place, reversed
    CHECK(values(slice(d, 0, all())) == plain{{5}, {1, 0, 2, 0, 3}});
}

TEST_CASE("what lies outside of a backward or open range is an error, too") {
    CHECK(message([] { (void)slice(x, range(3, 0, -1), all()); }) ==
          "slice: 3 is outside axis 0 of extent 3");
    CHECK(message([] { (void)slice(x, all(), from(5)); }) ==
          "slice: 5 is outside axis 1 of extent 4");
    CHECK(message([] { (void)slice(x, all(), until(-5, -1)); }) ==
          "slice: -5 is outside axis 1 of extent 4");
}
