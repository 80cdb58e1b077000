// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/roll.hpp>

using felt::explain;
using felt::index_t;
using felt::repeat;
using felt::roll;
using felt::Tensor;
using felt::tile;
using test::computed;
using test::numbered;
using test::plain;
using test::values;

namespace {
index_t around(index_t i, index_t n) { return (i % n + n) % n; }
}  // namespace

TEST_CASE("roll moves elements along an axis, and those that leave it come in again") {
    auto const x = Tensor<int, 2>::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(values(roll<1>(x, 1)) == plain{{2, 3}, {3, 1, 2, 6, 4, 5}});
    CHECK(values(roll<0>(x, -1)) == plain{{2, 3}, {4, 5, 6, 1, 2, 3}});
    CHECK(values(roll<0, 1>(x, 1, -4)) == plain{{2, 3}, {5, 6, 4, 2, 3, 1}});
    CHECK(values(roll<1, 1>(x, 1, 1)) == values(roll<-1>(x, 2)));
    CHECK(values(roll<0>(x, 0)) == values(x));
    CHECK(values(roll<1>(Tensor<int, 2>({3, 0}), 2)) == plain{{3, 0}, {}});
}

TEST_CASE("rolls of every distance, in any layout, of expressions, reductions and products") {
    auto const x = numbered<Tensor<float, 2>>({19, 37});
    Tensor<float, 2, felt::Host, felt::ColMajor> const c = x;
    auto const a = values(x), p = values(matmul(x, transpose(x)));
    for (index_t s : {-100, -37, -1, 0, 1, 16, 18, 19, 36, 37, 38, 1000}) {
        auto const expected = computed(
            {19, 37}, [&](auto at) { return a(around(at[0] - s, 19), around(at[1] + s, 37)); });
        CHECK(values(roll<0, 1>(x, s, -s)) == expected);
        CHECK(values(roll<0, 1>(c, s, -s)) == expected);
        CHECK(values(roll<0, 1>(x * 2, s, -s) / 2) == expected);
        CHECK(values(transpose(roll<0, 1>(transpose(x + 1), -s, s)) - 1) == expected);
        CHECK(values(roll<0>(sum<1>(x), s)) == values(sum<1>(roll<0>(x, s))));
        CHECK(values(roll<1>(matmul(x, transpose(x)), s) * 1) ==
              computed({19, 19}, [&](auto at) { return p(at[0], around(at[1] - s, 19)); }));
        CHECK(values(slice(roll<1>(x, s), 3, felt::range(2, 30, 3))) ==
              computed({10}, [&](auto at) { return a(3, around(2 + 3 * at[0] - s, 37)); }));
    }
}

TEST_CASE_TEMPLATE("rolls of every size of element", T, bool, std::int8_t, short, double, index_t) {
    auto const x = numbered<Tensor<T, 1>>({1009});
    auto const a = values(x);
    Tensor<T, 1> y({1009});
    y = roll<0>(x, 100);
    CHECK(values(y) == computed({1009}, [&](auto at) { return a(around(at[0] - 100, 1009)); }));
}

TEST_CASE("a tensor is rolled in place") {
    auto x = numbered<Tensor<float, 2>>({67, 130});
    auto const a = values(x);
    x = roll<0>(x, 5) + roll<1>(x, 100);
    CHECK(values(x) == computed({67, 130}, [&](auto at) {
              return a(around(at[0] - 5, 67), at[1]) + a(at[0], around(at[1] - 100, 130));
          }));
}

TEST_CASE("tile puts copies side by side") {
    auto const x = Tensor<int, 2>::of({{1, 2}, {3, 4}});
    CHECK(values(tile(x, {1, 2})) == plain{{2, 4}, {1, 2, 1, 2, 3, 4, 3, 4}});
    CHECK(values(tile(x, {2, 1})) == plain{{4, 2}, {1, 2, 3, 4, 1, 2, 3, 4}});
    CHECK(values(tile(x, {0, 3})) == plain{{0, 6}, {}});
    CHECK(values(tile(Tensor<int, 1>({0}), {3})) == plain{{0}, {}});
    CHECK_THROWS_AS(tile(x, {1, -1}), felt::shape_error);
    auto const y = numbered<Tensor<float, 2>>({5, 37});
    Tensor<float, 2, felt::Host, felt::ColMajor> const c = y;
    auto const a = values(y);
    for (index_t m : {1, 3}) {
        for (index_t n : {1, 2, 7}) {
            auto const expected =
                computed({5 * m, 37 * n}, [&](auto at) { return a(at[0] % 5, at[1] % 37); });
            CHECK(values(tile(y, {m, n})) == expected);
            CHECK(values(tile(c, {m, n})) == expected);
            CHECK(values(tile(y * 2, {m, n}) / 2) == expected);
            CHECK(values(transpose(tile(transpose(c), {n, m}))) == expected);
        }
    }
}

TEST_CASE("repeat has each element several times") {
    auto const x = Tensor<int, 2>::of({{1, 2}, {3, 4}});
    CHECK(values(repeat<1>(x, 2)) == plain{{2, 4}, {1, 1, 2, 2, 3, 3, 4, 4}});
    CHECK(values(repeat<0>(x * 10, 3)) ==
          plain{{6, 2}, {10, 20, 10, 20, 10, 20, 30, 40, 30, 40, 30, 40}});
    CHECK(values(repeat<-1>(x, 0)) == plain{{2, 0}, {}});
    CHECK_THROWS_AS(repeat<0>(x, -1), felt::shape_error);
    auto const y = numbered<Tensor<float, 3>>({3, 5, 17});
    auto const a = values(y);
    for (index_t n : {1, 2, 3, 16, 40}) {
        CHECK(values(repeat<1>(y, n)) ==
              computed({3, 5 * n, 17}, [&](auto at) { return a(at[0], at[1] / n, at[2]); }));
        CHECK(values(repeat<2>(y + 1, n) - 1) ==
              computed({3, 5, 17 * n}, [&](auto at) { return a(at[0], at[1], at[2] / n); }));
    }
}

TEST_CASE("what is rolled, tiled or repeated is not written") {
    auto const x = numbered<Tensor<float, 2>>({300, 500});
    auto const a = values(x);
    Tensor<float, 2> y({300, 500}), z({600, 1000});
    CHECK(explain(assign(y, roll<0>(x, 7) - roll<1>(x, -3))).intermediates().empty());
    CHECK(explain(assign(y, x + roll<0, 1>(exp(x), 7, 9))).intermediates().empty());
    CHECK(explain(assign(z, exp(tile(x, {2, 2})))).intermediates().empty());
    CHECK(explain(assign(z, exp(repeat<0>(repeat<1>(x, 2), 2)))).intermediates().empty());
    Tensor<float, 2> apart({300, 500});
    run(felt::unfused, assign(apart, x + roll<0, 1>(exp(x), 7, 9)));
    y = x + roll<0, 1>(exp(x), 7, 9);
    CHECK(values(y) == values(apart));
    CHECK(values(y) == test::near(computed({300, 500},
                                           [&](auto at) {
                                               return a(at[0], at[1]) +
                                                      std::exp(a(around(at[0] - 7, 300),
                                                                 around(at[1] - 9, 500)));
                                           }),
                                  1e-6));
}

TEST_CASE("the laplacian of a torus is one pass") {
    auto const x = numbered<Tensor<double, 2>>({33, 65});
    auto const a = values(x);
    Tensor<double, 2> y({33, 65});
    auto const e = roll<0>(x, 1) + roll<0>(x, -1) + roll<1>(x, 1) + roll<1>(x, -1) - 4. * x;
    CHECK(explain(assign(y, e)).intermediates().empty());
    y = e;
    CHECK(values(y) == computed({33, 65}, [&](auto at) {
              index_t const i = at[0], j = at[1];
              return a((i + 32) % 33, j) + a((i + 1) % 33, j) + a(i, (j + 64) % 65) +
                     a(i, (j + 1) % 65) - 4 * a(i, j);
          }));
}
