// SPDX-License-Identifier: BSD-3-Clause
//
// Through reductions other than sums, beside central differences.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::error_of;
using test::tolerance;

namespace {
Tensor<double, 3> values() {
    Tensor<double, 3> w({3, 4, 2});
    w = normal<double>(w.extents(), 3);
    return w;
}
}  // namespace

TEST_CASE("the largest and the smallest, over every mask of axes") {
    auto w = values();
    CHECK(error_of(w, [](auto x) { return square(max<0>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(max<1>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(max<0, 2>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(max(x)) * x; }) < tolerance);
    CHECK(error_of(w, [](auto x) { return x - min<1, 2>(x, keepdims); }) < tolerance);
}

TEST_CASE("the first of equal elements has the derivative") {
    Tensor<double, 1> w = Tensor<double, 1>::of({1, 3, 3, 2});
    auto const x = named<"w">(w);
    Tensor<double, 1> const g = grad<"w">(max(x) * 2.0);
    CHECK((g(0) == 0 && g(1) == 2 && g(2) == 0 && g(3) == 0));
}

TEST_CASE("products, with zeros") {
    auto w = values();
    CHECK(error_of(w, [](auto x) { return prod<1>(x); }) < tolerance);
    w(0, 1, 0) = 0;
    CHECK(error_of(w, [](auto x) { return prod<1>(x); }) < tolerance);
    w(0, 2, 0) = 0;
    CHECK(error_of(w, [](auto x) { return prod<1>(x, keepdims) + prod<0, 2>(x, keepdims) * x; }) <
          tolerance);
}
