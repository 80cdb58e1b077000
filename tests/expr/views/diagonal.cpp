// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/diagonal.hpp>

using felt::diagonal;
using felt::index_t;
using felt::Tensor;
using test::computed;
using test::numbered;
using test::plain;
using test::values;

TEST_CASE("diagonal k has the elements where j = i + k") {
    auto const x = Tensor<int, 2>::of({{0, 1, 2}, {3, 4, 5}});
    CHECK(values(diagonal(x)) == plain{{2}, {0, 4}});
    CHECK(values(diagonal(x, 1)) == plain{{2}, {1, 5}});
    CHECK(values(diagonal(x, 2)) == plain{{1}, {2}});
    CHECK(values(diagonal(x, -1)) == plain{{1}, {3}});
    CHECK(values(diagonal(x, 3)) == plain{{0}, {}});
    CHECK(values(diagonal(x, -9)) == plain{{0}, {}});
}

TEST_CASE("diagonals of the last two axes, in any layout, of tensors and expressions") {
    for (index_t m : {0, 1, 5, 37}) {
        for (index_t n : {1, 7, 33}) {
            auto const x = numbered<Tensor<float, 3>>({3, m, n});
            Tensor<float, 3, felt::Host, felt::ColMajor> const c = x;
            auto const a = values(x);
            for (index_t k : {-6, -1, 0, 2}) {
                index_t const below = std::max<index_t>(-k, 0), right = std::max<index_t>(k, 0);
                index_t const size = std::max<index_t>(std::min(m - below, n - right), 0);
                auto const expected = computed(
                    {3, size}, [&](auto at) { return a(at[0], at[1] + below, at[1] + right); });
                CHECK(values(diagonal(x, k)) == expected);
                CHECK(values(diagonal(c, k)) == expected);
                CHECK(values(diagonal(x * 2, k) / 2) == expected);
                CHECK(values(diagonal(flip<2>(transpose(transpose(c))), k)) ==
                      computed({3, size}, [&](auto at) {
                          return a(at[0], at[1] + below, n - 1 - at[1] - right);
                      }));
            }
        }
    }
}

TEST_CASE("the diagonal of a product, and of what has to be computed first") {
    auto const x = numbered<Tensor<float, 2>>({19, 37});
    auto const p = values(matmul(x, transpose(x)));
    CHECK(values(diagonal(matmul(x, transpose(x)), 2)) ==
          computed({17}, [&](auto at) { return p(at[0], at[0] + 2); }));
    CHECK(values(diagonal(expand_dims<0>(sum<0>(x)) + x, 1)) == computed({19}, [&](auto at) {
              return values(sum<0>(x))(at[0] + 1) + values(x)(at[0], at[0] + 1);
          }));
}

TEST_CASE("the diagonal of a named tensor is memory, and a destination") {
    Tensor<int, 2> x({3, 3});
    diagonal(x) = felt::iota<int>(3) + 1;
    diagonal(x, -2) += 9;
    CHECK(values(x) == plain{{3, 3}, {1, 0, 0, 0, 2, 0, 9, 0, 3}});
}
