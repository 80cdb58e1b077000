// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/matrices.hpp>

using felt::diag;
using felt::index_t;
using felt::Tensor;
using felt::tril;
using felt::triu;
using test::computed;
using test::numbered;
using test::plain;
using test::values;

TEST_CASE("diag puts a vector on a diagonal") {
    auto const v = Tensor<int, 1>::of({1, 2});
    CHECK(values(diag(v)) == plain{{2, 2}, {1, 0, 0, 2}});
    CHECK(values(diag(v, 1)) == plain{{3, 3}, {0, 1, 0, 0, 0, 2, 0, 0, 0}});
    CHECK(values(diag(v, -1)) == plain{{3, 3}, {0, 0, 0, 1, 0, 0, 0, 2, 0}});
    for (index_t n : {0, 1, 7, 37}) {
        auto const x = numbered<Tensor<float, 1>>({n});
        auto const a = values(x);
        for (index_t k : {-3, 0, 1, 40}) {
            index_t const size = n + std::abs(k);
            auto const expected = computed({size, size}, [&](auto at) {
                return at[1] - at[0] == k ? a(std::min(at[0], at[1])) : 0;
            });
            CHECK(values(diag(x, k)) == expected);
            CHECK(values(diag(x * 2, k) / 2) == expected);
            CHECK(values(diagonal(diag(x, k), k)) == a);
        }
    }
}

TEST_CASE("beside a diagonal there are zeros, whatever stands on it") {
    auto const v = Tensor<double, 1>::of({test::not_a_number, test::infinity});
    CHECK(values(diag(v)) == plain{{2, 2}, {test::not_a_number, 0, 0, test::infinity}});
}

TEST_CASE("tril and triu keep what is below and above a diagonal, of each matrix") {
    auto const x = Tensor<int, 2>::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(values(tril(x)) == plain{{2, 3}, {1, 0, 0, 4, 5, 0}});
    CHECK(values(triu(x)) == plain{{2, 3}, {1, 2, 3, 0, 5, 6}});
    for (index_t m : {0, 1, 17}) {
        for (index_t n : {1, 33}) {
            auto const y = numbered<Tensor<float, 3>>({2, m, n});
            Tensor<float, 3, felt::Host, felt::ColMajor> const c = y;
            auto const a = values(y);
            for (index_t k : {-40, -2, 0, 1, 50}) {
                auto const lower = computed({2, m, n}, [&](auto at) {
                    return at[2] <= at[1] + k ? a(at[0], at[1], at[2]) : 0;
                });
                auto const upper = computed({2, m, n}, [&](auto at) {
                    return at[2] >= at[1] + k ? a(at[0], at[1], at[2]) : 0;
                });
                CHECK(values(tril(y, k)) == lower);
                CHECK(values(triu(y, k)) == upper);
                CHECK(values(tril(c * 2, k)) == values(2 * tril(y, k)));
                CHECK(values(triu(c, k)) == upper);
            }
        }
    }
}

TEST_CASE("what is masked does not come through, be it NaN") {
    auto const x = Tensor<float, 2>::of({{1, NAN}, {2, 3}});
    CHECK(values(tril(x)) == plain{{2, 2}, {1, 0, 2, 3}});
}

TEST_CASE("trace is the sum of a diagonal") {
    auto const x = Tensor<int, 2>::of({{1, 2, 3}, {4, 5, 6}});
    index_t const t = trace(x);
    CHECK(t == 6);
    CHECK(values(trace(x, 1)) == plain{{}, {8}});
    CHECK(values(trace(x, 7)) == plain{{}, {0}});
    auto const y = numbered<Tensor<double, 3>>({4, 5, 5});
    auto const a = values(y);
    CHECK(values(trace(y * 2)) == computed({4}, [&](auto at) {
              double sum = 0;
              for (int i = 0; i < 5; ++i) sum += 2 * a(at[0], i, i);
              return sum;
          }));
}

TEST_CASE("masks and diagonals are not written, nor is a product that they mask") {
    auto const x = numbered<Tensor<float, 2>>({67, 67});
    Tensor<float, 2> y({67, 67});
    CHECK(explain(assign(y, tril(matmul(x, x)))).intermediates().empty());
    CHECK(explain(assign(y, exp(triu(x + 1.f)))).intermediates().empty());
    CHECK(explain(assign(y, x + diag(diagonal(x) * 2.f))).intermediates().empty());
    y = tril(matmul(x, x));
    auto const p = values(matmul(x, x));
    CHECK(values(y) ==
          computed({67, 67}, [&](auto at) { return at[1] <= at[0] ? p(at[0], at[1]) : 0; }));
}
