// SPDX-License-Identifier: BSD-3-Clause
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::tolerance;

namespace {
Tensor<double, 2> random(extent_arg const (&e)[2], std::uint64_t seed) {
    Tensor<double, 2> x(e);
    x = normal<double>(x.extents(), seed);
    return x;
}
}  // namespace

TEST_CASE("least squares: W' (W s - x)") {
    auto const w = random({6, 4}, 1), x = random({6, 3}, 2);
    auto s = random({4, 3}, 3);
    auto const n = named<"s">(s);
    auto const energy = 0.5 * sum(square(matmul(w, n) - x));
    Tensor<double, 2> const slope = grad<"s">(energy);
    Tensor<double, 2> const by_hand = matmul(transpose(w), matmul(w, s) - x);
    CHECK(all_close(slope, by_hand, 1e-13, 1e-13));
    CHECK(test::distance(s, slope, [&] { return static_cast<double>(energy); }) < tolerance);
}

TEST_CASE("a derivative is a tensor of the extents of what it is by") {
    auto const w = random({3, 4}, 4);
    auto const x = named<"w">(w);
    auto const ones = eval(grad<"w">(sum(x)));
    CHECK((ones.extents() == w.extents() && ones(2, 3) == 1));
    auto const means = eval(grad<"w">(mean(x)));
    CHECK(means(0, 0) == 1.0 / 12);
}

TEST_CASE("of a vector-valued expression by a cotangent") {
    auto const w = random({3, 4}, 5), x = random({4, 2}, 6), dy = random({3, 2}, 7);
    auto const n = named<"w">(w);
    Tensor<double, 2> const g = grad<"w">(matmul(n, x), dy);
    Tensor<double, 2> const by_hand = matmul(dy, transpose(x));
    CHECK(all_close(g, by_hand, 1e-13, 1e-13));
    CHECK_THROWS_AS((void)grad<"w">(matmul(n, x), transpose(dy)), shape_error);
}

TEST_CASE("the Hessian times a vector") {
    auto w = random({4, 5}, 8);
    auto const x = random({5, 6}, 9), v = random({4, 5}, 10);
    auto const n = named<"w">(w);
    auto const cost = sum(square(sigmoid(matmul(n, x))));
    Tensor<double, 2> const product = grad<"w">(sum(grad<"w">(cost) * v));
    double const h = 1e-5;
    Tensor<double, 2> const old = w;
    w = old + h * v;
    Tensor<double, 2> const up = grad<"w">(cost);
    w = old - h * v;
    Tensor<double, 2> const down = grad<"w">(cost);
    CHECK(all_close(product, (up - down) / (2 * h), 1e-6, 1e-8));
}

TEST_CASE("by the parts of complex numbers, which are real") {
    Tensor<std::complex<double>, 1> z({3});
    z = complex(normal<double>({3}, 12), normal<double>({3}, 13));
    auto const re = named<"re">(real(z));
    auto const im = named<"im">(imag(z));
    auto const cost = sum(square(square(re) + square(im)));  // |z|^4
    Tensor<double, 1> const dre = grad<"re">(cost), dim = grad<"im">(cost);
    CHECK(all_close(complex(dre, dim), 4 * square(abs(z)) * z, 1e-13));
}

TEST_CASE("in float it is computed in float") {
    Tensor<float, 2> w({3, 3});
    w = normal<float>(w.extents(), 11);
    auto const x = named<"w">(w);
    auto const g = grad<"w">(0.5 * sum(square(x)));
    static_assert(std::is_same_v<value_of<decltype(g)>, float>);
    CHECK(all_close(eval(g), w));
}

TEST_CASE("by what rows of it are gathered, with a cotangent") {
    Tensor<double, 2> table({5, 2}), dy({3, 2}), known({5, 2});
    table = normal<double>(table.extents(), 1), dy = normal<double>(dy.extents(), 2);
    auto const at = Tensor<int, 1>::of({4, 1, 4});
    Tensor<double, 2> const g = grad<"E">(gather<0>(named<"E">(table), at), dy);
    known = scatter_add<0>({5, 2}, at, dy);
    CHECK(all_close(g, known, 1e-15, 0));
}
