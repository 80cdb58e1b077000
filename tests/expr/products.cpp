// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/products.hpp>

using felt::axes;
using felt::index_t;
using felt::Tensor;
using test::computed;
using test::message;
using test::near;
using test::not_a_number;
using test::numbered;
using test::plain;
using test::values;

TEST_CASE("dot is a number, the sum of products, and vectors do not stretch") {
    auto const u = Tensor<float, 1>::of({1, 2, 3});
    float const s = dot(u, u);
    CHECK(s == 14);
    CHECK(values(dot(u + 1, u)) == plain{{}, {20}});
    CHECK(values(dot(Tensor<float, 1>({0}), Tensor<float, 1>({0}))) == plain{{}, {0}});
    CHECK(message([&] { (void)dot(u, Tensor<float, 1>({4})); }) == "dot: (3) by (4)");
    CHECK_THROWS_AS(dot(u, Tensor<float, 1>({1})), felt::shape_error);
}

TEST_CASE("vecdot is a dot product for each vector of the last axis; leading axes broadcast") {
    auto const x = Tensor<int, 2>::of({{1, 2}, {3, 4}}), y = Tensor<int, 2>::of({{5, 6}, {-1, 0}});
    CHECK(values(vecdot(x, y)) == plain{{2}, {17, -3}});
    CHECK(values(vecdot(x, Tensor<float, 1>::of({1, 10}))) == plain{{2}, {21, 43}});
    float const n = vecdot(Tensor<float, 1>::of({1, 2}), Tensor<float, 1>::of({3, 4}));
    CHECK(n == 11);
    for (index_t k : {0, 1, 16, 67}) {
        auto const a = numbered<Tensor<float, 3>>({4, 1, k});
        auto const b = numbered<Tensor<float, 2, felt::Host, felt::ColMajor>>({5, k}, 3);
        auto const p = values(a), q = values(b);
        auto const expected = computed({4, 5}, [&](auto at) {
            double sum = 0;
            for (index_t i = 0; i < k; ++i) sum += p(at[0], 0, i) * q(at[1], i);
            return sum;
        });
        CHECK(values(vecdot(a, b)) == near(expected, 1e-6));
        CHECK(values(vecdot(a * 2, b)) == near(values(2 * vecdot(a, b)), 1e-6));
    }
    CHECK(message([&] { (void)vecdot(x, Tensor<int, 1>({1})); }) ==
          "vecdot: (2, 2) by (1): the last axes differ");
    CHECK_THROWS_AS(vecdot(x, Tensor<int, 2>({3, 2})), felt::shape_error);
}

TEST_CASE("cross is the vector product of the last axes") {
    auto const x = Tensor<float, 1>::of({1, 0, 0}), y = Tensor<float, 1>::of({0, 1, 0});
    CHECK(values(cross(x, y)) == plain{{3}, {0, 0, 1}});
    CHECK(values(cross(y, x)) == plain{{3}, {0, 0, -1}});
    CHECK(values(cross(Tensor<int, 1>::of({1, 2, 3}), Tensor<int, 1>::of({4, 5, 6}))) ==
          plain{{3}, {-3, 6, -3}});
    for (index_t n : {0, 1, 7, 33}) {
        auto const a = numbered<Tensor<double, 3>>({2, n, 3});
        auto const b = numbered<Tensor<double, 2, felt::Host, felt::ColMajor>>({n, 3}, 5);
        auto const p = values(a), q = values(b);
        auto const expected = computed({2, n, 3}, [&](auto at) {
            index_t const i = (at[2] + 1) % 3, j = (at[2] + 2) % 3;
            return p(at[0], at[1], i) * q(at[1], j) - p(at[0], at[1], j) * q(at[1], i);
        });
        CHECK(values(cross(a, b)) == expected);
        CHECK(values(cross(a * 2, b) / 2) == expected);
    }
    auto const q = Tensor<float, 1>::of({NAN, 0, 1});
    CHECK(values(cross(q, x)) == plain{{3}, {0, not_a_number, not_a_number}});
    CHECK(message([&] { (void)cross(x, Tensor<float, 2>({2, 2})); }) ==
          "cross: (3) by (2, 2): the last axes are not 3");
    CHECK(message([&] { (void)cross(Tensor<float, 1>({2}), Tensor<float, 1>({2})); }) ==
          "cross: (2) by (2): the last axes are not 3");
}

TEST_CASE("tensordot sums over the last axes of one and the first of the other, or those named") {
    auto const a = numbered<Tensor<float, 3>>({3, 4, 5});
    auto const b = numbered<Tensor<float, 3>>({4, 5, 7}, 3);
    auto const p = values(a), q = values(b);
    auto const expected = computed({3, 7}, [&](auto at) {
        double sum = 0;
        for (index_t i = 0; i < 4; ++i)
            for (index_t j = 0; j < 5; ++j) sum += p(at[0], i, j) * q(i, j, at[1]);
        return sum;
    });
    CHECK(values(tensordot(a, b)) == near(expected, 1e-6));
    CHECK(values(felt::tensordot<2>(a + 0, b)) == near(expected, 1e-6));
    CHECK(values(tensordot(a, b, axes<1, 2>, axes<0, 1>)) == near(expected, 1e-6));
    CHECK(values(tensordot(a, b, axes<-1, 1>, axes<1, 0>)) == near(expected, 1e-6));
    CHECK(values(tensordot(b, a, axes<0, 1>, axes<1, 2>)) ==
          near(values(transpose(tensordot(a, b))), 1e-6));
    auto const one = computed({3, 5, 5, 7}, [&](auto at) {
        double sum = 0;
        for (index_t i = 0; i < 4; ++i) sum += p(at[0], i, at[1]) * q(i, at[2], at[3]);
        return sum;
    });
    CHECK(values(tensordot(a, b, axes<1>, axes<0>)) == near(one, 1e-6));
    CHECK(values(felt::tensordot<0>(Tensor<int, 1>::of({1, 2}), Tensor<int, 1>::of({3, 4}))) ==
          plain{{2, 2}, {3, 4, 6, 8}});
    float const all = felt::tensordot<3>(a, a);
    CHECK(all == doctest::Approx(static_cast<float>(sum(square(a)))));
    CHECK(values(felt::tensordot<1>(Tensor<float, 2>({2, 0}), Tensor<float, 2>({0, 3}))) ==
          computed({2, 3}, [](auto) { return 0.0; }));
    CHECK(message([&] { (void)felt::tensordot<1>(a, b); }).find("tensordot: (3, 4, 5) by") == 0);
}

TEST_CASE("inner sums over the last axes of both") {
    auto const a = numbered<Tensor<float, 3>>({2, 3, 17});
    auto const b = numbered<Tensor<float, 2>>({5, 17}, 3);
    auto const p = values(a), q = values(b);
    CHECK(values(inner(a, b)) == near(computed({2, 3, 5},
                                               [&](auto at) {
                                                   double sum = 0;
                                                   for (index_t k = 0; k < 17; ++k)
                                                       sum += p(at[0], at[1], k) * q(at[2], k);
                                                   return sum;
                                               }),
                                      1e-6));
    CHECK(values(inner(Tensor<int, 1>::of({1, 2}), Tensor<int, 1>::of({3, 4}))) == plain{{}, {11}});
    CHECK(values(inner(Tensor<int, 2>::of({{1, 2}, {0, 1}}), Tensor<int, 1>::of({3, 4}))) ==
          plain{{2}, {11, 4}});
    CHECK(message([&] {
              (void)inner(a, Tensor<float, 1>({4}));
          }).find("inner: (2, 3, 17) by (4)") == 0);
}

TEST_CASE("kron puts b into every element of a") {
    auto const x = numbered<Tensor<float, 2>>({7, 37});
    auto const a = values(x);
    auto const p = Tensor<int, 2>::of({{1, 2}, {3, 4}}), q = Tensor<int, 2>::of({{0, 5, 1}});
    CHECK(values(kron(p, q)) == plain{{2, 6}, {0, 5, 1, 0, 10, 2, 0, 15, 3, 0, 20, 4}});
    auto const r = values(kron(transpose(x), x));
    CHECK(r == computed({37 * 7, 7 * 37}, [&](auto at) {
              return a(at[1] / 37, at[0] / 7) * a(at[0] % 7, at[1] % 37);
          }));
    auto e = kron(numbered<Tensor<float, 2>>({7, 37}), Tensor<float, 2>::of({{1, 0}}));
    CHECK(values(e) ==
          computed({7, 74}, [&](auto at) { return at[1] % 2 == 0 ? a(at[0], at[1] / 2) : 0; }));
}

TEST_CASE("products are not written") {
    auto const a = numbered<Tensor<float, 3>>({5, 7, 9}), b = numbered<Tensor<float, 3>>({7, 9, 4});
    Tensor<float, 2> y({5, 4}), z({5, 7});
    CHECK(explain(assign(y, exp(tensordot(a, b)) + 1.f)).intermediates().empty());
    CHECK(explain(assign(z, exp(vecdot(a, a * 2)))).intermediates().empty());
    auto const u = numbered<Tensor<float, 2>>({50, 3});
    Tensor<float, 2> w({50, 3});
    CHECK(explain(assign(w, cross(u, u + 1) * 2)).intermediates().empty());
}
