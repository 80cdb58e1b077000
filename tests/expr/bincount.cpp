// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/bincount.hpp>

using felt::bincount;
using felt::index_t;
using felt::Tensor;
using test::computed;
using test::message;
using test::plain;
using test::values;

TEST_CASE("bincount counts labels, of any rank and integer type") {
    CHECK(values(bincount(Tensor<int, 1>::of({1, 3, 1, 0}), 5)) == plain{{5}, {1, 2, 0, 1, 0}});
    CHECK(values(bincount(Tensor<unsigned char, 2>::of({{2, 2}, {2, 0}}), 3)) ==
          plain{{3}, {1, 0, 3}});
    CHECK(values(bincount(Tensor<int, 1>({0}), 2)) == plain{{2}, {0, 0}});
    CHECK(values(bincount(Tensor<int, 1>({0}), 0)) == plain{{0}, {}});
    auto const y = bincount(felt::iota<int>(3), 3);
    static_assert(std::is_same_v<felt::value_of<decltype(y)>, index_t>);
}

TEST_CASE("bincount of expressions and in every layout, against a loop") {
    Tensor<index_t, 2> const x = felt::randint({31, 37}, 0, 7, 1);
    Tensor<index_t, 2, felt::Host, felt::ColMajor> const c = x;
    auto const a = values(x);
    auto const expected = computed({7}, [&](auto at) {
        return static_cast<double>(
            std::count(a.values.begin(), a.values.end(), static_cast<double>(at[0])));
    });
    CHECK(values(bincount(x, 7)) == expected);
    CHECK(values(bincount(c, 7)) == expected);
    CHECK(values(bincount(transpose(x) + 0, 7)) == expected);
    CHECK(values(bincount(flip<0>(slice(x, felt::all(), felt::range(0, 37))), 7)) == expected);
}

TEST_CASE("a label outside, or a negative length, is an error") {
    auto const x = Tensor<int, 1>::of({0, 3});
    Tensor<index_t, 1> y({3});
    y = 7;
    CHECK(message([&] { y = bincount(x, 3); }) ==
          "scatter_add: index 3 is outside axis 0 of extent 3");
    CHECK(values(y) == plain{{3}, {7, 7, 7}});
    CHECK_THROWS_AS(felt::eval(bincount(x - 1, 3)), felt::shape_error);
    CHECK(message([&] { (void)bincount(x, -1); }) == "bincount: negative extent in (-1)");
}
