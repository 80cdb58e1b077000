// SPDX-License-Identifier: BSD-3-Clause
#include "tests/differential/memory.hpp"
#include "tests/differential/sums.hpp"
#include "tests/support/counted.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using plain::array;
using test::dice;
using test::field;
using test::order;
using test::tensors_of;

namespace {

constexpr int orders = static_cast<int>(order::count);

}  // namespace

TEST_CASE("a destination that is empty takes the extents, any other must fit") {
    auto const x = felt::Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}});
    felt::Tensor<float, 2> y;
    y = x * 2;
    CHECK(y.extent(1) == 3);
    CHECK(y(1, 2) == 12);
    felt::Tensor<float, 2> z({3, 2});
    CHECK_THROWS_AS(z = x + 1, felt::shape_error);
    CHECK(z(2, 1) == 0);
    z = 4.f;
    CHECK(z(2, 1) == 4);
    auto const row = felt::Tensor<float, 1>::of({7, 8});
    z = row;
    CHECK(z(0, 1) == 8);
    CHECK(z(2, 0) == 7);
}

TEST_CASE("in place by the same index there is no temporary") {
    dice d(91);
    array const x = test::whole_numbers({30, 70}, d), a = test::whole_numbers({30, 70}, d);
    for (int o = 0; o < orders; ++o) {
        field<float, 2> fy(x, static_cast<order>(o)), fa(a, order::rows);
        auto y = fy.view();
        CHECK(tensors_of([&] { y = y * fa.view() + y; }) == 0);
        CHECK(test::difference(fy.get(), plain::add(plain::multiply(x, a), x), 0) == "");
        fy.set(x);
        CHECK(tensors_of([&] { y += fa.view(); }) == 0);
        CHECK(test::difference(fy.get(), plain::add(x, a), 0) == "");
        CHECK(fy.guards_hold());
    }
}

TEST_CASE("what is read by other indices than it is written comes from before") {
    dice d(92);
    array const x = test::whole_numbers({67, 67}, d);
    for (int o = 0; o < orders; ++o) {
        field<float, 2> f(x, static_cast<order>(o));
        auto y = f.view();
        auto check = [&](auto const& expression, array const& expected) {
            f.set(x);
            y = expression;
            CHECK(test::difference(f.get(), expected, 0) == "");
            CHECK(f.guards_hold());
        };
        check(y + transpose(y), plain::add(x, plain::transpose(x)));
        check(transpose(y), plain::transpose(x));
        check(felt::flip<0>(y), plain::flip(x, {0}));
        check(felt::flip<1>(y) * 2 - y,
              plain::add(plain::multiply(plain::flip(x, {1}), array({}, 2)),
                         plain::multiply(x, array({}, -1))));
        check(y - felt::sum<0>(y), plain::add(x, plain::multiply(plain::sum(x, 1), array({}, -1))));
        check(y * felt::max(y), plain::multiply(x, plain::max(x, 3)));
        check(slice(y, felt::all(), 3),
              plain::broadcast(plain::reshape(plain::slice(x, {0, 3}, {1, 1}, {67, 1}), {67}),
                               {67, 67}));
    }
}

TEST_CASE("eval gives a tensor, a temporary operand lives in the expression") {
    auto make = [] { return felt::Tensor<float, 1>::of({1, 2, 3}); };
    auto const e = make() * make() + 1;
    auto const y = eval(e);
    CHECK(y.extents().size() == 3);
    CHECK(y(2) == 10);
    auto const again = eval(e * 2);
    CHECK(again(0) == 4);
}

TEST_CASE("an expression of nothing writes nothing") {
    felt::Tensor<float, 2> const x({0, 5});
    felt::Tensor<float, 2> const y = exp(x) + 1;
    CHECK(y.extent(0) == 0);
    CHECK(y.extent(1) == 5);
    felt::Tensor<float, 2> z({3, 0}), w({0, 4}), p({3, 4});
    p = 7.f;
    p = matmul(z, w);
    for (index_t i = 0; i < 3; ++i) {
        for (index_t j = 0; j < 4; ++j) CHECK(p(i, j) == 0);
    }
}
