// SPDX-License-Identifier: BSD-3-Clause
//
// What products mean and which operands they take; host/contract.cpp sweeps the extents.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/contract.hpp>
#include <type_traits>

using felt::index_t;
using felt::Tensor;
using test::computed;
using test::message;
using test::numbered;
using test::plain;
using test::values;

namespace {

using matrix = Tensor<float, 2>;

auto const a = matrix::of({{1, 2, 3}, {4, 5, 6}});
auto const b = matrix::of({{1, 0}, {0, 1}, {2, 2}});
auto const u = Tensor<float, 1>::of({1, 2, 3});

template <class T, class E>
constexpr bool has_elements(E const&) {
    return std::is_same_v<T, felt::value_of<E>>;
}

}  // namespace

TEST_CASE("matmul is rows by columns") {
    CHECK(values(matmul(a, b)) == plain{{2, 2}, {7, 8, 16, 17}});
    CHECK(values(matmul(b, a)) == plain{{3, 3}, {1, 2, 3, 4, 5, 6, 10, 14, 18}});
    CHECK(values(matmul(transpose(b), transpose(a))) == plain{{2, 2}, {7, 16, 8, 17}});
}

TEST_CASE("matmul of higher ranks is a product for each batch, and batches broadcast") {
    auto const x = numbered<Tensor<double, 3>>({4, 2, 3});
    auto const y = numbered<Tensor<double, 4>>({5, 1, 3, 2}, 9);
    auto const p = values(x), q = values(y);
    auto product = [&](index_t n, index_t i, index_t m, index_t j) {
        double sum = 0;
        for (index_t k = 0; k < 3; ++k) sum += p(n, i, k) * q(m, 0, k, j);
        return sum;
    };
    CHECK(values(matmul(x, y)) ==
          computed({5, 4, 2, 2}, [&](auto at) { return product(at[1], at[2], at[0], at[3]); }));
    CHECK(matmul(y, a).extents() == felt::extents<4>{{5, 1, 3, 3}});
}

TEST_CASE("a vector is a row on the left of a product and a column on its right") {
    auto const w = Tensor<float, 1>::of({1, 10});
    CHECK(values(matmul(a, u)) == plain{{2}, {14, 32}});
    CHECK(values(matmul(w, a)) == plain{{3}, {41, 52, 63}});
    CHECK(values(matmul(a, matmul(b, w))) == plain{{2}, {87, 186}});
    CHECK(values(relu(matmul(transpose(a), w) - 50)) == plain{{3}, {0, 2, 13}});
    auto const x = numbered<Tensor<double, 3>>({4, 2, 3});
    auto const p = values(x);
    CHECK(values(matmul(x, u)) == computed({4, 2}, [&](auto at) {
              return p(at[0], at[1], 0) + 2 * p(at[0], at[1], 1) + 3 * p(at[0], at[1], 2);
          }));
    CHECK(values(matmul(w, x)) ==
          computed({4, 3}, [&](auto at) { return p(at[0], 0, at[1]) + 10 * p(at[0], 1, at[1]); }));
    CHECK(message([] { (void)matmul(a, Tensor<float, 1>({2})); }) ==
          "matmul: (2, 3) by (2): 3 is not 2");
}

TEST_CASE("outer is every element by every element") {
    CHECK(values(outer(u, Tensor<float, 1>::of({1, 10}))) == plain{{3, 2}, {1, 10, 2, 20, 3, 30}});
}

TEST_CASE("products of expressions, inside expressions") {
    CHECK(values(relu(matmul(a, b - 1) * -1 + 1)) == plain{{2, 2}, {0, 0, 0, 0}});
    CHECK(values(matmul(a * 2, b) + Tensor<float, 1>::of({1, 2})) ==
          plain{{2, 2}, {15, 18, 33, 36}});
    CHECK(values(matmul(matmul(a, b), a)) == plain{{2, 3}, {39, 54, 69, 84, 117, 150}});
}

TEST_CASE("types of operands meet as in arithmetic") {
    auto const i = Tensor<int, 2>::of({{1, 2}, {3, 4}});
    auto const c = Tensor<bool, 2>::of({{true, true}, {false, true}});
    CHECK(has_elements<int>(matmul(i, i)));
    CHECK(has_elements<float>(matmul(a, Tensor<int, 2>({3, 2}))));
    CHECK(has_elements<int>(matmul(c, c)));
    CHECK(values(matmul(i, i)) == plain{{2, 2}, {7, 10, 15, 22}});
    CHECK(values(matmul(c, c)) == plain{{2, 2}, {1, 2, 0, 1}});
    CHECK(values(matmul(i, c)) == plain{{2, 2}, {1, 3, 3, 7}});
}

TEST_CASE("over nothing a product is zero, and without rows it is empty") {
    CHECK(values(matmul(matrix({2, 0}), matrix({0, 2}))) == plain{{2, 2}, {0, 0, 0, 0}});
    CHECK(values(matmul(matrix({0, 3}), b)) == plain{{0, 2}, {}});
}

TEST_CASE("extents that do not fit are an error that names the product and the shapes") {
    CHECK(message([] { (void)matmul(a, a); }) == "matmul: (2, 3) by (2, 3): 3 is not 2");
    CHECK_THROWS_AS(matmul(Tensor<float, 3>({2, 2, 3}), Tensor<float, 3>({3, 3, 2})),
                    felt::shape_error);
}

TEST_CASE("the shared axis does not broadcast") {
    CHECK(message([] { (void)matmul(matrix({2, 1}), b); }) ==
          "matmul: (2, 1) by (3, 2): the shared extents differ");
}

TEST_CASE("an axis of extent 1 is a row or a column like any other") {
    auto const column = matrix::of({{1}, {2}}), row = matrix::of({{3, 4}});
    CHECK(values(matmul(column, row)) == plain{{2, 2}, {3, 4, 6, 8}});
    CHECK(values(matmul(row, column)) == plain{{1, 1}, {11}});
}

TEST_CASE("outer of vectors, and of each with each where leading axes are") {
    CHECK(values(outer(Tensor<int, 1>::of({1, 2}), Tensor<int, 1>::of({3, 4}))) ==
          plain{{2, 2}, {3, 4, 6, 8}});
    auto const x = numbered<Tensor<float, 3>>({4, 1, 7}),
               y = numbered<Tensor<float, 3>>({1, 5, 17});
    auto const p = values(x), q = values(y);
    CHECK(values(outer(x, y + 0)) == computed({4, 5, 7, 17}, [&](auto at) {
              return p(at[0], 0, at[2]) * q(0, at[1], at[3]);
          }));
    CHECK(values(outer(x, Tensor<float, 1>::of({1, 2}))) == computed({4, 1, 7, 2}, [&](auto at) {
              return p(at[0], 0, at[2]) * static_cast<double>(at[3] + 1);
          }));
    CHECK_THROWS_AS(outer(x, numbered<Tensor<float, 3>>({3, 1, 7})), felt::shape_error);
}
