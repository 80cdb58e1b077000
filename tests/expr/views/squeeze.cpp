// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/squeeze.hpp>

using felt::squeeze;
using felt::Tensor;
using test::message;
using test::numbered;
using test::plain;
using test::values;

TEST_CASE("squeeze drops axes of extent 1") {
    auto const x = numbered<Tensor<float, 4>>({1, 5, 1, 37});
    auto const flat = values(x).values;
    CHECK(values(squeeze<0>(x)) == plain{{5, 1, 37}, flat});
    CHECK(values(squeeze<-2>(x)) == plain{{1, 5, 37}, flat});
    CHECK(values(squeeze<2, 0>(x)) == plain{{5, 37}, flat});
    CHECK(values(squeeze<0, -2>(x * 2) / 2) == plain{{5, 37}, flat});
    CHECK(values(squeeze<1>(expand_dims<1>(sum<0>(squeeze<0, 2>(x))))) ==
          values(sum<0>(squeeze<0, 2>(x))));
    Tensor<float, 4, felt::Host, felt::ColMajor> const c = x;
    CHECK(values(squeeze<0, 2>(c)) == plain{{5, 37}, flat});
    CHECK(values(squeeze<0>(Tensor<int, 2>({1, 0}))) == plain{{0}, {}});
    CHECK(values(squeeze<0>(Tensor<int, 1>::of({7}) + 1)) == plain{{}, {8}});
}

TEST_CASE("a squeezed tensor is memory, and a destination") {
    Tensor<int, 3> x({3, 1, 1});
    squeeze<1, 2>(x) = felt::iota<int>(3);
    CHECK(values(x) == plain{{3, 1, 1}, {0, 1, 2}});
    CHECK(squeeze<1>(x).data() == x.data());
}

TEST_CASE("an axis of another extent is an error") {
    Tensor<int, 2> const x({2, 3});
    CHECK(message([&] { (void)squeeze<-1>(x); }) ==
          "squeeze: axis 1 of (2, 3) has extent 3, not 1");
    CHECK_THROWS_AS(squeeze<0>(Tensor<int, 2>({0, 3})), felt::shape_error);
}
