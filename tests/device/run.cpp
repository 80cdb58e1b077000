// SPDX-License-Identifier: BSD-3-Clause
//
// Groups, products, empty tensors.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("products, alone, in expressions and nested") {
    same([](auto& x, auto&, auto&) { return matmul(x, transpose(x)) / 100; });
    same([](auto& x, auto& v, auto&) { return softmax<1>(matmul(transpose(x), x) / 100 + v); });
    same([](auto& x, auto&, auto&) { return einsum<"ij,ij->i">(x, x); });
}

TEST_CASE("groups run in order, and destinations are views too") {
    Tensor<float, 2, Device> c({8, 9}), h({8, 9});
    c = 2;
    auto const s = assign(c, c * 3 + 1);
    auto const t = assign(transpose(h), transpose(sqrt(c + 2)));
    Tensor<float, 1, Device> rows({8});
    fuse(s, t, assign(rows, sum<1>(h)));
    CHECK(float(sum(rows)) == doctest::Approx(8 * 9 * 3));
}

TEST_CASE("nothing, and tensors of nothing") {
    Tensor<float, 2, Device> x({0, 5}), y;
    y = exp(x) + 1;
    CHECK(y.extents() == x.extents());
    Tensor<float, 1, Device> z;
    z = sum<0>(x);
    CHECK(float(sum(z)) == 0);
    CHECK_THROWS_AS(copy(y, Tensor<float, 2>({1, 5})), shape_error);
}
