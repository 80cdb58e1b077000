// SPDX-License-Identifier: BSD-3-Clause
//
// Through each kind of node, beside central differences.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::error_of;
using test::tolerance;

namespace {
template <std::size_t R, class Layout = RowMajor>
Tensor<double, R, Host, Layout> random(extent_arg const (&e)[R], std::uint64_t seed) {
    Tensor<double, R, Host, Layout> x(e);
    x = normal<double>(x.extents(), seed);
    return x;
}
}  // namespace

TEST_CASE("operands that are stretched as their types say") {
    auto const x = random({4, 5, 3}, 1);
    auto w = random({5}, 2);
    CHECK(error_of(w, [&](auto b) { return x * expand_dims<1>(b); }) < tolerance);
    CHECK(error_of(w, [&](auto b) { return square(expand_dims<0>(expand_dims<1>(b))) * 2.0 + x; }) <
          tolerance);
    auto last = random({3}, 3);
    CHECK(error_of(last, [&](auto b) { return tanh(x + b); }) < tolerance);
    CHECK(error_of(last, [&](auto b) { return x * sum(square(b)); }) < tolerance);
    CHECK(error_of(last, [&](auto b) { return x * sum<0>(square(b), keepdims); }) < tolerance);
    auto one = random({1}, 4);
    CHECK(error_of(one, [&](auto b) { return expand_dims<1>(b) * 2.0; }) < tolerance);
}

TEST_CASE("what is stretched although its type does not say so is an error that names the remedy") {
    auto const x = random({4, 5}, 1);
    auto const w = random({4, 1}, 2);
    auto const b = named<"w">(w);
    CHECK_THROWS_WITH_AS(
        (void)grad<"w">(sum(x * b)),
        doctest::Contains(
            "(4, 1) is stretched to (4, 5) along axis 1, which its type does not say"),
        shape_error);
    CHECK_THROWS_AS((void)grad<"w">(sum(b * slice(x, all(), range(0, 1)) * x)), shape_error);
}

TEST_CASE("sums, over every mask of axes") {
    auto w = random({3, 4, 2}, 5);
    CHECK(error_of(w, [](auto x) { return square(sum<0>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(sum<1>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(sum<2>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(sum<0, 2>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(sum<0, 1>(x, keepdims)) * x; }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(sum(x)) * mean(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(x - mean<1>(x, keepdims)); }) < tolerance);
}

TEST_CASE("products, by either operand") {
    auto const a = random({4, 5}, 6), b = random({5, 3}, 7);
    auto w = random({4, 5}, 8);
    CHECK(error_of(w, [&](auto x) { return matmul(x, b); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return matmul(transpose(b), transpose(x)); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return matmul(transpose(x), x * a); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return einsum<"ij,ij->">(x, a) * x; }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return einsum<"ij,kj->kij">(x, a); }) < tolerance);
    auto batch = random({2, 3, 4}, 9);
    auto const c = random({2, 4, 5}, 10);
    CHECK(error_of(batch, [&](auto x) { return matmul(x, c); }) < tolerance);
    CHECK(error_of(batch, [&](auto x) { return matmul(x, slice(c, 0, all(), all())); }) <
          tolerance);
    auto matrix = random({4, 5}, 11);
    CHECK(error_of(matrix, [&](auto x) { return matmul(batch, x); }) < tolerance);
    auto vector = random({5}, 12);
    CHECK(error_of(vector, [&](auto x) { return matmul(a, x); }) < tolerance);
    CHECK(error_of(vector, [&](auto x) { return outer(x, x) * 0.5; }) < tolerance);
    CHECK(error_of(vector, [&](auto x) { return dot(x, square(x)); }) < tolerance);
}

TEST_CASE("rearrangements") {
    auto w = random({3, 4}, 13);
    auto const c = random({2, 4}, 14);
    CHECK(error_of(w, [](auto x) { return square(reshape(x, {2, 6})); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return square(concat<0>(x, c)); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return square(concat<0>(c, x * 2, x)); }) < tolerance);
    auto const at = Tensor<int, 1>::of({2, 0, 2, 2});
    CHECK(error_of(w, [&](auto x) { return square(gather<0>(x, at)); }) < tolerance);
    auto const to = Tensor<int, 1>::of({1, 1, 4});
    CHECK(error_of(w, [&](auto x) { return square(scatter_add<0>({6, 4}, to, x)); }) < tolerance);
}

TEST_CASE("no elements, and one") {
    Tensor<double, 2> none({0, 3}), one({1, 1});
    one(0, 0) = 0.3;
    auto const x = named<"w">(none);
    Tensor<double, 2> g({0, 3});
    g = grad<"w">(sum(square(x)));
    CHECK(g.extents() == none.extents());
    CHECK(error_of(one, [](auto y) { return sigmoid(matmul(y, y)); }) < tolerance);
}

TEST_CASE("layouts do not matter") {
    auto w = random<2, ColMajor>({4, 3}, 15);
    auto const b = random({3, 2}, 16);
    auto const x = named<"w">(w);
    Tensor<double, 2, Host, ColMajor> g({4, 3});
    auto const cost = sum(square(matmul(x, b)));
    g = grad<"w">(cost);
    Tensor<double, 2> const rows = w;
    auto const y = named<"y">(rows);
    Tensor<double, 2> const h = grad<"y">(sum(square(matmul(y, b))));
    CHECK(all_close(g, h));
}
