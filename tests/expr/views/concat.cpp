// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/concat.hpp>
#include <type_traits>

using felt::concat;
using felt::Tensor;
using test::computed;
using test::message;
using test::numbered;
using test::plain;
using test::values;

TEST_CASE("concat has the first operand and then the second along an axis") {
    auto const x = Tensor<int, 2>::of({{1, 2}, {3, 4}}), y = Tensor<int, 2>::of({{5, 6}});
    CHECK(values(concat<0>(x, y)) == plain{{3, 2}, {1, 2, 3, 4, 5, 6}});
    CHECK(values(concat<-1>(x, transpose(concat<0>(y, y)))) ==
          plain{{2, 4}, {1, 2, 5, 5, 3, 4, 6, 6}});
}

TEST_CASE("concat of tensors in any layout, of expressions, reductions and products") {
    auto const x = numbered<Tensor<float, 2>>({19, 37});
    Tensor<float, 2, felt::Host, felt::ColMajor> const y = numbered<Tensor<float, 2>>({19, 5}, 3);
    auto const a = values(x), b = values(y);
    auto const both = computed(
        {19, 42}, [&](auto at) { return at[1] < 37 ? a(at[0], at[1]) : b(at[0], at[1] - 37); });
    CHECK(values(concat<1>(x, y)) == both);
    CHECK(values(concat<1>(x + 1, y + 1) - 1) == both);
    CHECK(values(concat<0>(sum<1>(x), sum<0>(y))) == computed({24}, [&](auto at) {
              double sum = 0;
              if (at[0] < 19)
                  for (int j = 0; j < 37; ++j) sum += a(at[0], j);
              else
                  for (int i = 0; i < 19; ++i) sum += b(i, at[0] - 19);
              return sum;
          }));
}

TEST_CASE("operands meet in one type, and one of them may be empty") {
    auto const x = Tensor<int, 1>::of({1, 2});
    auto e = concat<0>(x, Tensor<float, 1>::of({0.5}));
    CHECK(std::is_same_v<felt::value_of<decltype(e)>, float>);
    CHECK(values(e) == plain{{3}, {1, 2, 0.5}});
    CHECK(values(concat<0>(x, Tensor<int, 1>({0}))) == plain{{2}, {1, 2}});
    CHECK(values(concat<0>(Tensor<int, 1>({0}), x)) == plain{{2}, {1, 2}});
}

TEST_CASE("extents beside the axis must agree") {
    CHECK(message([] { (void)concat<0>(Tensor<int, 2>({2, 3}), Tensor<int, 2>({2, 4})); }) ==
          "concat: (2, 3) and (2, 4) differ beside axis 0");
    CHECK_THROWS_AS(concat<1>(Tensor<int, 2>({2, 3}), Tensor<int, 2>({1, 3})), felt::shape_error);
}
