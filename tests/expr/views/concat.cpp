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

TEST_CASE("concat takes as many as there are") {
    auto const x = Tensor<int, 2>::of({{1, 2}}), y = Tensor<int, 2>::of({{3, 4}, {5, 6}});
    CHECK(values(concat<0>(x, y, x * 10)) == plain{{4, 2}, {1, 2, 3, 4, 5, 6, 10, 20}});
    CHECK(values(concat<1>(x, x, x, x)) == plain{{1, 8}, {1, 2, 1, 2, 1, 2, 1, 2}});
    auto e = concat<0>(x, cast<float>(y), Tensor<double, 2>({0, 2}));
    CHECK(std::is_same_v<felt::value_of<decltype(e)>, double>);
    CHECK(message([&] { (void)concat<1>(x, x, y); }) ==
          "concat: (1, 4) and (2, 2) differ beside axis 1");
}

TEST_CASE("stack puts tensors side by side along a new axis") {
    auto const x = Tensor<int, 1>::of({1, 2, 3}), y = Tensor<int, 1>::of({4, 5, 6});
    CHECK(values(felt::stack<0>(x, y)) == plain{{2, 3}, {1, 2, 3, 4, 5, 6}});
    CHECK(values(felt::stack<1>(x, y)) == plain{{3, 2}, {1, 4, 2, 5, 3, 6}});
    CHECK(values(felt::stack<-1>(x, y, x * 0.5)) == plain{{3, 3}, {1, 4, 0.5, 2, 5, 1, 3, 6, 1.5}});
    CHECK(values(felt::stack<0>(x)) == plain{{1, 3}, {1, 2, 3}});
    CHECK(values(felt::stack<0>(sum(x), sum(y))) == plain{{2}, {6, 15}});
    CHECK(message([&] { (void)felt::stack<0>(x, y, Tensor<int, 1>({2})); }) ==
          "stack: (3) and (2) differ");
}

TEST_CASE("stacks and concatenations of many are not written on the way") {
    auto const x = numbered<Tensor<float, 2>>({19, 37});
    auto const a = values(x);
    Tensor<float, 3> y({19, 3, 37});
    auto const e = exp(felt::stack<1>(x, x + 1.f, 2.f * x));
    CHECK(explain(assign(y, e)).intermediates().empty());
    y = felt::stack<1>(x, x + 1.f, 2.f * x);
    CHECK(values(y) == computed({19, 3, 37}, [&](auto at) {
              double const v = a(at[0], at[2]);
              return at[1] == 0 ? v : at[1] == 1 ? v + 1 : 2 * v;
          }));
}
