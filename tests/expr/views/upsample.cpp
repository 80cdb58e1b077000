// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/upsample.hpp>

using felt::Tensor;
using felt::upsample;
using test::computed;
using test::message;
using test::numbered;
using test::plain;
using test::values;

TEST_CASE("upsample repeats each element in a block") {
    auto const x = Tensor<int, 2>::of({{1, 2}});
    CHECK(values(upsample(x, {2, 3})) == plain{{2, 6}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}});
    CHECK(values(upsample(x, {1, 1})) == values(x));
    auto const ones = felt::full({2, 3}, 1);
    CHECK(values(upsample(x, {2, 3})) == values(kron(x, ones)));
}

TEST_CASE("upsample works on the last two axes, of tensors and of expressions") {
    auto const x = numbered<Tensor<float, 3>>({2, 5, 19});
    auto const a = values(x);
    auto const expected =
        computed({2, 10, 57}, [&](auto at) { return a(at[0], at[1] / 2, at[2] / 3); });
    CHECK(values(upsample(x, {2, 3})) == expected);
    CHECK(values(upsample(x + 1, {2, 3}) - 1) == expected);
    auto const channels_last = felt::permute<2, 0, 1>(numbered<Tensor<float, 3>>({5, 19, 2}));
    auto const c = values(channels_last);
    CHECK(values(upsample(channels_last, {1, 4})) ==
          computed({2, 5, 76}, [&](auto at) { return c(at[0], at[1], at[2] / 4); }));
}

TEST_CASE("the gradient of a mean pool: upsample(d) * a * (1 - a)") {
    auto const d = numbered<Tensor<double, 2>>({3, 4}), a = numbered<Tensor<double, 2>>({6, 8}, 5);
    auto const p = values(d), q = values(a);
    CHECK(values(upsample(d, {2, 2}) * a * (1 - a)) == computed({6, 8}, [&](auto at) {
              double const v = q(at[0], at[1]);
              return p(at[0] / 2, at[1] / 2) * v * (1 - v);
          }));
}

TEST_CASE("a factor below 1 is an error") {
    CHECK(message([] { (void)upsample(Tensor<int, 2>({2, 2}), {2, 0}); }) ==
          "upsample: factor 0 is not positive");
}
