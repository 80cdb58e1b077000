// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/reshape.hpp>

using felt::reshape;
using felt::Tensor;
using test::message;
using test::numbered;
using test::plain;
using test::values;

namespace {

plain with_extents(plain x, std::vector<felt::index_t> e) {
    x.extents = std::move(e);
    return x;
}

}  // namespace

TEST_CASE("reshape keeps the row-major order of elements") {
    auto const x = Tensor<int, 2>::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(values(reshape(x, {3, 2})) == plain{{3, 2}, {1, 2, 3, 4, 5, 6}});
    CHECK(values(reshape(x, {6})) == plain{{6}, {1, 2, 3, 4, 5, 6}});
    CHECK(values(reshape(x, {1, 2, 1, 3})) == plain{{1, 2, 1, 3}, {1, 2, 3, 4, 5, 6}});
    CHECK(values(reshape(transpose(x), {6})) == plain{{6}, {1, 4, 2, 5, 3, 6}});
}

TEST_CASE("one extent may be left to compute") {
    Tensor<int, 2> const x({4, 6});
    CHECK(reshape(x, {-1, 3}).extents() == felt::extents<2>{{8, 3}});
    CHECK(reshape(x, {-1}).extents() == felt::extents<1>{{24}});
    CHECK(reshape(x, {2, -1, 2}).extents() == felt::extents<3>{{2, 6, 2}});
    CHECK_THROWS_AS(reshape(x, {-1, 5}), felt::shape_error);
    CHECK_THROWS_AS(reshape(x, {-1, -1}), felt::shape_error);
    CHECK_THROWS_AS(reshape(x, {-4, -6}), felt::shape_error);
}

TEST_CASE("a named row-major tensor reshapes to a view of its memory, to be written") {
    Tensor<int, 2> x({2, 3});
    reshape(x, {6}) = felt::iota<int>(6);
    CHECK(values(x) == plain{{2, 3}, {0, 1, 2, 3, 4, 5}});
}

TEST_CASE("other layouts, slices and expressions reshape by meaning") {
    auto const r = numbered<Tensor<float, 3>>({6, 5, 14});
    auto const a = values(r);
    Tensor<float, 3, felt::Host, felt::ColMajor> const c = r;
    CHECK(values(reshape(c, {30, 14})) == with_extents(a, {30, 14}));
    CHECK(values(reshape(r * 2 / 2, {7, 60})) == with_extents(a, {7, 60}));
    CHECK(values(reshape(reshape(c, {420}), {20, 21})) == with_extents(a, {20, 21}));
    auto const part = felt::slice(r, felt::range(1, 5), felt::all(), felt::range(0, 13, 3));
    CHECK(values(reshape(part, {10, 10})) == with_extents(values(part), {10, 10}));
}

TEST_CASE("reductions and products reshape") {
    auto const x = numbered<Tensor<double, 2>>({6, 6});
    CHECK(values(reshape(matmul(x, x), {4, 9})) == with_extents(values(matmul(x, x)), {4, 9}));
    CHECK(values(reshape(sum<0>(x), {2, 3})) == with_extents(values(sum<0>(x)), {2, 3}));
    CHECK(values(sum<0>(reshape(exp(x), {9, 4}))) ==
          test::near(values(sum<0>(felt::eval(reshape(exp(x), {9, 4})))), 1e-12));
}

TEST_CASE("an expression without elements reshapes to others without") {
    CHECK(values(reshape(Tensor<float, 2>({0, 3}) + 1, {3, 0, 2})) == plain{{3, 0, 2}, {}});
    CHECK(values(reshape(Tensor<float, 2>({0, 3}), {0})) == plain{{0}, {}});
}

TEST_CASE("another number of elements is an error that says both") {
    CHECK(message([] { (void)reshape(Tensor<int, 2>({2, 3}), {4}); }) ==
          "reshape: (2, 3) has 6 elements, (4) has 4");
}

TEST_CASE("flatten has all elements in row-major order, and is memory if these are") {
    Tensor<int, 2> x({2, 3});
    felt::flatten(x) = felt::iota<int>(6);
    CHECK(values(x) == plain{{2, 3}, {0, 1, 2, 3, 4, 5}});
    CHECK(values(felt::flatten(transpose(x))) == plain{{6}, {0, 3, 1, 4, 2, 5}});
    CHECK(values(felt::flatten(x + 1)) == plain{{6}, {1, 2, 3, 4, 5, 6}});
    Tensor<int, 2, felt::Host, felt::ColMajor> const c = x;
    CHECK(values(felt::flatten(c)) == plain{{6}, {0, 1, 2, 3, 4, 5}});
    CHECK(values(felt::flatten(sum(x))) == plain{{1}, {15}});
    CHECK(values(felt::flatten(Tensor<int, 2>({0, 3}))) == plain{{0}, {}});
}
