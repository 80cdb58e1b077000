// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/permute.hpp>
#include <cstdint>

using felt::permute;
using felt::Tensor;
using test::computed;
using test::numbered;
using test::plain;
using test::values;

namespace {

// Every order of three axes, of memory and of an expression.
template <class X>
void check_orders(X const& x) {
    auto const a = values(x);
    auto const e = a.extents;
    CHECK(values(permute<1, 2, 0>(x)) ==
          computed({e[1], e[2], e[0]}, [&](auto at) { return a(at[2], at[0], at[1]); }));
    CHECK(values(permute<2, 0, 1>(x + 0)) ==
          computed({e[2], e[0], e[1]}, [&](auto at) { return a(at[1], at[2], at[0]); }));
    CHECK(values(x + permute<1, 0, 2>(permute<1, 0, 2>(x))) ==
          computed(e, [&](auto at) { return 2 * a(at[0], at[1], at[2]); }));
    CHECK(values(transpose(x)) ==
          computed({e[2], e[1], e[0]}, [&](auto at) { return a(at[2], at[1], at[0]); }));
}

}  // namespace

TEST_CASE("axis r of the result is axis Axes[r] of the operand") {
    auto const x = numbered<Tensor<float, 3>>({2, 3, 5});
    CHECK(permute<1, 2, 0>(x).extents() == felt::extents<3>{{3, 5, 2}});
    CHECK(permute<1, 2, 0>(x)(2, 4, 1) == x(1, 2, 4));
    CHECK(values(transpose(Tensor<int, 2>::of({{1, 2, 3}, {4, 5, 6}}))) ==
          plain{{3, 2}, {1, 4, 2, 5, 3, 6}});
}

TEST_CASE("transpose of a vector or a number changes nothing") {
    CHECK(values(transpose(Tensor<int, 1>::of({1, 2}))) == plain{{2}, {1, 2}});
    CHECK(values(transpose(felt::sum(Tensor<int, 1>::of({1, 2})))) == plain{{}, {3}});
}

TEST_CASE("all orders of axes over awkward extents and layouts") {
    check_orders(numbered<Tensor<float, 3>>({1, 2, 3}));
    check_orders(numbered<Tensor<float, 3>>({15, 16, 17}));
    check_orders(numbered<Tensor<float, 3, felt::Host, felt::ColMajor>>({33, 5, 31}));
    check_orders(numbered<Tensor<float, 3>>({4, 0, 3}));
    check_orders(numbered<Tensor<double, 3>>({9, 7, 8}));
}

TEST_CASE_TEMPLATE("transposes of every size of element", T, bool, std::int8_t, short, int,
                   felt::index_t) {
    auto const x = numbered<Tensor<T, 2>>({67, 35});
    auto const a = values(x);
    Tensor<T, 2> y({35, 67});
    y = transpose(x);
    CHECK(values(y) == computed({35, 67}, [&](auto at) { return a(at[1], at[0]); }));
}

TEST_CASE("swapaxes exchanges two axes, moveaxis takes one to another place") {
    auto const x = numbered<Tensor<float, 4>>({2, 3, 5, 7});
    CHECK(values(felt::swapaxes<0, -1>(x)) == values(permute<3, 1, 2, 0>(x)));
    CHECK(values(felt::swapaxes<1, 1>(x)) == values(x));
    CHECK(values(felt::moveaxis<0, -1>(x)) == values(permute<1, 2, 3, 0>(x)));
    CHECK(values(felt::moveaxis<3, 0>(x)) == values(permute<3, 0, 1, 2>(x)));
    CHECK(values(felt::moveaxis<1, 2>(x * 2) / 2) == values(permute<0, 2, 1, 3>(x)));
    CHECK(values(felt::moveaxis<2, 1>(x)) == values(permute<0, 2, 1, 3>(x)));
    CHECK(values(felt::moveaxis<2, 2>(x)) == values(x));
}

TEST_CASE("mT transposes each matrix of the last two axes") {
    auto const x = numbered<Tensor<float, 3>>({3, 17, 5});
    Tensor<float, 3, felt::Host, felt::ColMajor> const c = x;
    auto const turned = values(permute<0, 2, 1>(x));
    CHECK(values(felt::mT(x)) == turned);
    CHECK(values(felt::mT(c)) == turned);
    CHECK(values(felt::mT(x * 2) / 2) == turned);
    CHECK(values(matmul(x, felt::mT(x))) == values(matmul(x, permute<0, 2, 1>(x))));
    Tensor<float, 3> y({3, 5, 17});
    CHECK(explain(assign(y, exp(felt::mT(x + 1.f)))).intermediates().empty());
    felt::mT(y) = x;
    felt::swapaxes<0, 1>(y) *= 2.f;
    felt::moveaxis<0, 2>(y) /= 2.f;
    CHECK(values(y) == turned);
}
