// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/diff.hpp>

using felt::diff;
using felt::index_t;
using felt::Tensor;
using test::computed;
using test::numbered;
using test::plain;
using test::values;

TEST_CASE("differences of neighbours, along the last axis or another, several times") {
    auto const x = Tensor<int, 2>::of({{1, 4, 9}, {2, 2, 0}});
    CHECK(values(diff(x)) == plain{{2, 2}, {3, 5, 0, -2}});
    CHECK(values(diff<0>(x)) == plain{{1, 3}, {1, -2, -9}});
    CHECK(values(diff<1, 2>(x)) == plain{{2, 1}, {2, -2}});
    CHECK(values(diff<-1, 0>(x)) == values(x));
    CHECK(values(diff<1, 3>(x)) == plain{{2, 0}, {}});
    CHECK(values(diff<1, 5>(x)) == plain{{2, 0}, {}});
    CHECK(values(diff(Tensor<bool, 1>::of({true, false, true}))) == plain{{2}, {-1, 1}});
    CHECK(values(diff(Tensor<float, 1>::of({1, INFINITY, INFINITY}))) ==
          plain{{2}, {test::infinity, test::not_a_number}});
}

TEST_CASE("differences of awkward extents and layouts, in place too") {
    for (index_t m : {0, 1, 2, 17})
        for (index_t n : {0, 1, 16, 33}) {
            auto const x = numbered<Tensor<float, 2>>({m, n});
            Tensor<float, 2, felt::Host, felt::ColMajor> const c = x;
            auto const a = values(x);
            auto const along = computed({m, std::max<index_t>(n - 1, 0)}, [&](auto at) {
                return a(at[0], at[1] + 1) - a(at[0], at[1]);
            });
            auto const twice = computed({std::max<index_t>(m - 2, 0), n}, [&](auto at) {
                return a(at[0] + 2, at[1]) - 2 * a(at[0] + 1, at[1]) + a(at[0], at[1]);
            });
            CHECK(values(diff(x)) == along);
            CHECK(values(diff(c)) == along);
            CHECK(values(diff(x * 2) / 2) == along);
            CHECK(values(diff<0, 2>(x)) == twice);
            CHECK(values(diff<0, 2>(c)) == twice);
        }
    auto y = numbered<Tensor<float, 1>>({1001});
    auto const before = values(y);
    felt::slice(y, felt::until(1000)) = diff(y);
    CHECK(values(y) == computed({1001}, [&](auto at) {
              return at[0] < 1000 ? before(at[0] + 1) - before(at[0]) : before(at[0]);
          }));
}

TEST_CASE("differences are not written") {
    auto const x = numbered<Tensor<float, 2>>({33, 70});
    Tensor<float, 2> y({33, 69});
    CHECK(explain(assign(y, diff(exp(x)) * 2)).intermediates().empty());
}
