// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/split.hpp>

using felt::split;
using felt::Tensor;
using felt::unstack;
using test::computed;
using test::message;
using test::numbered;
using test::plain;
using test::values;

namespace {
auto const x = numbered<Tensor<float, 2>>({6, 37});
auto const a = values(x);
}  // namespace

TEST_CASE("split makes equal parts along an axis") {
    auto const y = Tensor<int, 2>::of({{1, 2, 3, 4}, {5, 6, 7, 8}});
    auto const [left, right] = split<1, 2>(y);
    CHECK(values(left) == plain{{2, 2}, {1, 2, 5, 6}});
    CHECK(values(right) == plain{{2, 2}, {3, 4, 7, 8}});
    auto const quarters = split<-1, 4>(y * 10);
    CHECK(values(quarters[3]) == plain{{2, 1}, {40, 80}});
    CHECK(values(split<0, 1>(y)[0]) == values(y));
    CHECK(values(split<0, 3>(Tensor<int, 1>({0}))[2]) == plain{{0}, {}});
}

TEST_CASE("parts of tensors in any layout, of expressions, of products and of temporaries") {
    Tensor<float, 2, felt::Host, felt::ColMajor> const c = x;
    for (int i = 0; i < 3; ++i) {
        auto const k = static_cast<std::size_t>(i);
        auto const expected = computed({2, 37}, [&](auto at) { return a(2 * i + at[0], at[1]); });
        CHECK(values(split<0, 3>(x)[k]) == expected);
        CHECK(values(split<0, 3>(c)[k]) == expected);
        CHECK(values(split<0, 3>(x * 2)[k] / 2) == expected);
        CHECK(values(split<0, 3>(Tensor<float, 2>(x))[k]) == expected);
        CHECK(values(split<1, 3>(transpose(c))[k]) == values(transpose(split<0, 3>(x)[k])));
        auto const p = values(matmul(x, transpose(x)));
        CHECK(values(split<1, 3>(matmul(x, transpose(x)))[k]) ==
              computed({6, 2}, [&](auto at) { return p(at[0], 2 * i + at[1]); }));
    }
}

TEST_CASE("unstack makes a part of every place, without the axis") {
    auto const [u, v] = unstack<0, 2>(Tensor<int, 2>::of({{1, 2, 3}, {4, 5, 6}}));
    CHECK(values(u) == plain{{3}, {1, 2, 3}});
    CHECK(values(v) == plain{{3}, {4, 5, 6}});
    for (int i = 0; i < 37; ++i) {
        CHECK(values(unstack<1, 37>(x)[static_cast<std::size_t>(i)]) ==
              computed({6}, [&](auto at) { return a(at[0], i); }));
    }
    auto const [one, two] = unstack<0, 2>(Tensor<int, 1>::of({7, 8}) + 1);
    CHECK(values(one + two) == plain{{}, {17}});
}

TEST_CASE("parts of a named tensor and of its views are memory, and destinations") {
    Tensor<int, 2> y({2, 4});
    auto [left, right] = split<1, 2>(y);
    left = 1;
    right = left + 1;
    auto [top, bottom] = unstack<0, 2>(right);
    bottom = 9;
    auto [first, second] = split<0, 2>(transpose(y));
    first += 10;
    CHECK(values(y) == plain{{2, 4}, {11, 11, 2, 2, 11, 11, 9, 9}});
    CHECK(top.data() == y.data() + 2);
    CHECK(second.data() == y.data() + 2);
}

TEST_CASE("parts that are not equal, or not as many, are an error") {
    CHECK(message([] { (void)split<1, 3>(x); }) == "split: axis 1 of (6, 37) does not divide by 3");
    CHECK(message([] { (void)unstack<0, 5>(x); }) ==
          "unstack: axis 0 of (6, 37) has extent 6, not 5");
}
