// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/einsum.hpp>

using felt::einsum;
using felt::index_t;
using felt::Tensor;
using test::computed;
using test::message;
using test::numbered;
using test::plain;
using test::values;

namespace {

using matrix = Tensor<float, 2>;

auto const square_matrix = matrix::of({{1, 2}, {3, 4}});
auto const wide = matrix::of({{1, 2, 3}, {4, 5, 6}});
auto const u = Tensor<float, 1>::of({1, 2, 3});

// The sum of f over 0 .. n-1.
template <class F>
double over(index_t n, F f) {
    double sum = 0;
    for (index_t i = 0; i < n; ++i) sum += f(i);
    return sum;
}

template <felt::fixed_string S, class... X>
constexpr bool accepts = felt::einsum_is_well_formed<S, X...>;

}  // namespace

TEST_CASE("einsum of one operand permutes, sums and takes diagonals") {
    CHECK(values(einsum<"ij->ji">(wide)) == plain{{3, 2}, {1, 4, 2, 5, 3, 6}});
    CHECK(values(einsum<"ij->i">(wide)) == plain{{2}, {6, 15}});
    CHECK(values(einsum<"ij->j">(wide)) == plain{{3}, {5, 7, 9}});
    CHECK(values(einsum<"ij->">(wide)) == plain{{}, {21}});
    CHECK(values(einsum<"ii->i">(square_matrix)) == plain{{2}, {1, 4}});
    CHECK(values(einsum<"ii->">(square_matrix)) == plain{{}, {5}});
    CHECK(values(einsum<"ii->i">(exp(square_matrix) * 0 + square_matrix)) == plain{{2}, {1, 4}});
}

TEST_CASE("einsum of two operands is a product over the letters that the result leaves out") {
    CHECK(values(einsum<"ij,j->i">(wide, u)) == plain{{2}, {14, 32}});
    CHECK(values(einsum<"i,i->">(u, u)) == plain{{}, {14}});
    CHECK(values(einsum<"i,j->ji">(Tensor<float, 1>::of({1, 10}), u)) ==
          plain{{3, 2}, {1, 10, 2, 20, 3, 30}});
    CHECK(values(einsum<"ij,ij->ij">(wide, wide)) == plain{{2, 3}, {1, 4, 9, 16, 25, 36}});
    CHECK(values(einsum<"ij,ij->">(wide, wide)) == plain{{}, {91}});
    CHECK(values(einsum<"ii,i->i">(square_matrix, Tensor<float, 1>::of({1, 10}))) ==
          plain{{2}, {1, 40}});
}

TEST_CASE("letters are axes in any order, with batches and several shared letters") {
    auto const x = numbered<Tensor<double, 4>>({2, 5, 3, 4});
    auto const w = numbered<Tensor<double, 2>>({6, 5}, 3);
    auto const p = values(x), q = values(w);
    CHECK(values(einsum<"nchw,oc->nohw">(x, w)) == computed({2, 6, 3, 4}, [&](auto at) {
              return over(5, [&](index_t c) { return p(at[0], c, at[2], at[3]) * q(at[1], c); });
          }));
    auto const y = numbered<Tensor<double, 4>>({4, 2, 7, 5}, 1);
    auto const r = values(y);
    CHECK(values(einsum<"acbd,daec->ebc">(x, y)) == computed({7, 3, 5}, [&](auto at) {
              return over(2, [&](index_t a) {
                  return over(
                      4, [&](index_t d) { return p(a, at[2], at[1], d) * r(d, a, at[0], at[2]); });
              });
          }));
}

TEST_CASE("a letter of one operand alone may be summed") {
    CHECK(values(einsum<"ij,k->k">(wide, u)) == plain{{3}, {21, 42, 63}});
    CHECK(values(einsum<"ij,ik->j">(wide, square_matrix)) == plain{{3}, {31, 41, 51}});
}

TEST_CASE("a letter of one operand alone is of any extent") {
    auto const x = numbered<Tensor<double, 4>>({2, 3, 3, 4});
    auto const y = numbered<Tensor<double, 3>>({5, 2, 6}, 3);
    auto const p = values(x), q = values(y);
    CHECK(values(einsum<"ijjl,kim->ki">(x, y)) == computed({5, 2}, [&](auto at) {
              auto const of_x = [&](index_t j) {
                  return over(4, [&](index_t l) { return p(at[1], j, j, l); });
              };
              return over(3, of_x) * over(6, [&](index_t m) { return q(at[0], at[1], m); });
          }));
    auto const row = matrix::of({{2, 3}});
    CHECK(values(einsum<"ij,ik->i">(row, square_matrix)) == plain{{2}, {15, 35}});  // stretched
    CHECK(values(einsum<"ij,ik->i">(matrix({2, 0}), square_matrix)) == plain{{2}, {0, 0}});
    CHECK(values(einsum<"ij,ik->i">(matrix({0, 2}), matrix({0, 3}))) == plain{{0}, {}});
    CHECK(values(einsum<"ij,k->">(matrix({0, 2}), u)) == plain{{}, {0}});
}

TEST_CASE("what letters of one operand alone sum keeps the type of the product") {
    auto const i = Tensor<int, 2>::of({{1, 2}, {3, 4}});
    CHECK(std::is_same_v<felt::value_of<decltype(einsum<"ij,ik->ik">(i, i))>, int>);
    CHECK(values(einsum<"ij,ik->ik">(i, i)) == plain{{2, 2}, {3, 6, 21, 28}});
    auto const mixed = einsum<"ij,ik->i">(i, square_matrix);
    CHECK(std::is_same_v<felt::value_of<decltype(mixed)>, felt::value_of<decltype(i * u)>>);
    CHECK(values(mixed) == plain{{2}, {9, 49}});
    CHECK(values(einsum<"ij,ik->i">(square_matrix, i)) == plain{{2}, {9, 49}});
    auto const z = complex(square_matrix, square_matrix);  // x + ix
    CHECK(values(imag(einsum<"ij,ik->i">(z, z))) == plain{{2}, {18, 98}});
    CHECK(values(real(einsum<"ij,ik->i">(z, i))) == plain{{2}, {9, 49}});
}

TEST_CASE("without letters in its result einsum is a number") {
    float const trace = einsum<"ii->">(square_matrix), all = einsum<"ij->">(wide);
    float const squares = einsum<"ij,ij->">(wide, wide), dot = einsum<"i,i->">(u, u);
    CHECK(trace == 5);
    CHECK(all == 21);
    CHECK(squares == 91);
    CHECK(dot == 14);
    double const symmetric = einsum<"ij,ji->">(square_matrix, square_matrix) / 2;
    CHECK(symmetric == 14.5);
    float const one = slice(wide + 1.f, 1, 2);
    CHECK(one == 7);
}

TEST_CASE("einsum is well formed if every letter names an axis") {
    CHECK(accepts<"ik,kj->ij", matrix, matrix>);
    CHECK(accepts<" i k , k j -> i j ", matrix, matrix>);
    CHECK(accepts<"->", float>);
    CHECK_FALSE(accepts<"ik,kj", matrix, matrix>);
    CHECK_FALSE(accepts<"ik,kj->ij", matrix>);
    CHECK_FALSE(accepts<"ik->ij", matrix>);
    CHECK_FALSE(accepts<"ij->ii", matrix>);
    CHECK_FALSE(accepts<"ijk->ij", matrix>);
    CHECK_FALSE(accepts<"i1->i", matrix>);
    CHECK_FALSE(accepts<"ij->i->j", matrix>);
    CHECK_FALSE(accepts<"ij,jk,kl->il", matrix, matrix, matrix>);
    CHECK_FALSE(accepts<"abcdefghij->", matrix>);
}

TEST_CASE("extents of one letter must agree") {
    CHECK(message([] { (void)einsum<"ij,jk->ik">(wide, square_matrix); }) ==
          "einsum: (2, 3) by (2, 2): 3 is not 2");
    CHECK(message([] { (void)einsum<"ii->">(wide); }) == "einsum: a diagonal of (2, 3)");
    CHECK(message([] { (void)einsum<"ii->i">(matrix({0, 3})); }) == "einsum: a diagonal of (0, 3)");
}

TEST_CASE("integers sum to index_t in one operand, products stay in their type") {
    auto const i = Tensor<int, 2>::of({{1, 2}, {3, 4}});
    CHECK(std::is_same_v<felt::value_of<decltype(einsum<"ij->i">(i))>, index_t>);
    CHECK(std::is_same_v<felt::value_of<decltype(einsum<"ij,jk->ik">(i, i))>, int>);
    CHECK(values(einsum<"ij,jk->ik">(i, i)) == plain{{2, 2}, {7, 10, 15, 22}});
}
