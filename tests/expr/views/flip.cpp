// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/flip.hpp>

using felt::flip;
using felt::Tensor;
using test::computed;
using test::numbered;
using test::plain;
using test::values;

TEST_CASE("flip reverses the order along its axes") {
    auto const x = Tensor<int, 2>::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(values(flip<0>(x)) == plain{{2, 3}, {4, 5, 6, 1, 2, 3}});
    CHECK(values(flip<-1>(x)) == plain{{2, 3}, {3, 2, 1, 6, 5, 4}});
    CHECK(values(flip<0, 1>(x * 10)) == plain{{2, 3}, {60, 50, 40, 30, 20, 10}});
    CHECK(values(flip<1>(flip<1>(x))) == values(x));
}

TEST_CASE("rot180 turns the last two axes") {
    auto const x = numbered<Tensor<float, 3>>({2, 5, 37});
    auto const a = values(x);
    auto const turned =
        computed({2, 5, 37}, [&](auto at) { return a(at[0], 4 - at[1], 36 - at[2]); });
    CHECK(values(felt::rot180(x)) == turned);
    CHECK(values(felt::rot180(x + 1) - 1) == turned);
}

TEST_CASE("a flipped tensor is a destination") {
    Tensor<int, 1> x({5});
    flip<0>(x) = felt::iota<int>(5);
    CHECK(values(x) == plain{{5}, {4, 3, 2, 1, 0}});
}

TEST_CASE("flips of nothing and of one element") {
    CHECK(values(flip<0>(Tensor<int, 2>({0, 3}))) == plain{{0, 3}, {}});
    CHECK(values(flip<0>(Tensor<int, 1>::of({7}) + 1)) == plain{{1}, {8}});
}
