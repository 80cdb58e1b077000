// SPDX-License-Identifier: BSD-3-Clause
//
// What all views have in common; each has a test of its own in views/.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/view.hpp>
#include <type_traits>

using felt::all;
using felt::range;
using felt::Tensor;
using test::computed;
using test::numbered;
using test::plain;
using test::values;

namespace {
template <class E>
constexpr bool is_memory = felt::strided_array<E>;
}

TEST_CASE("an affine view of a named tensor is memory, of an expression a node") {
    auto x = numbered<Tensor<float, 2>>({3, 4});
    auto t = transpose(x);
    CHECK(is_memory<decltype(t)>);
    CHECK(&t(1, 2) == &x(2, 1));
    CHECK(is_memory<decltype(felt::slice(x, 1, all()))>);
    CHECK(is_memory<decltype(felt::slice(transpose(x), 1, all()))>);
    CHECK(is_memory<decltype(felt::broadcast_to(x, {2, 3, 4}))>);
    CHECK_FALSE(is_memory<decltype(transpose(exp(x)))>);
    CHECK_FALSE(is_memory<decltype(transpose(numbered<Tensor<float, 2>>({3, 4})))>);
}

TEST_CASE("views of a temporary tensor keep it") {
    auto e = transpose(numbered<Tensor<float, 2>>({3, 4}));
    auto const x = values(numbered<Tensor<float, 2>>({3, 4}));
    CHECK(values(e) == computed({4, 3}, [&](auto at) { return x(at[1], at[0]); }));
}

TEST_CASE("a view of constant elements cannot be written") {
    auto const x = numbered<Tensor<float, 2>>({3, 4});
    CHECK(std::is_same_v<decltype(transpose(x)), felt::View<float const, 2>>);
    CHECK_FALSE(std::is_assignable_v<decltype(transpose(x)), float>);
}

TEST_CASE("views of views compose, over memory and over expressions") {
    auto const x = numbered<Tensor<float, 3>>({5, 7, 37});
    auto const a = values(x);
    auto through = [](auto&& e) {
        auto const turned = felt::flip<1>(felt::permute<1, 2, 0>(e));
        return felt::slice(turned, range(1, 6, 2), range(3, 30), all());
    };
    auto const expected =
        computed({3, 27, 5}, [&](auto at) { return a(at[2], 1 + 2 * at[0], 36 - (3 + at[1])); });
    CHECK(values(through(x)) == expected);
    CHECK(values(through(x * 2) / 2) == expected);
}

TEST_CASE("views of a reduction and of a product") {
    auto const x = numbered<Tensor<double, 3>>({4, 5, 6});
    auto const a = values(x);
    auto total = [&](auto i, auto k) {
        double sum = 0;
        for (felt::index_t j = 0; j < 5; ++j) sum += a(i, j, k);
        return sum;
    };
    CHECK(values(transpose(sum<1>(x))) ==
          computed({6, 4}, [&](auto at) { return total(at[1], at[0]); }));
    CHECK(values(felt::slice(flip<1>(sum<1>(x)), range(1, 3), all())) ==
          computed({2, 6}, [&](auto at) { return total(at[0] + 1, 5 - at[1]); }));
}

TEST_CASE("views are destinations, in every layout") {
    Tensor<float, 2> r({3, 4});
    Tensor<float, 2, felt::Host, felt::ColMajor> c({3, 4});
    auto const row = Tensor<float, 1>::of({1, 2, 3});
    auto write = [&](auto& y) {
        felt::slice(y, all(), range(0, 4, 2)) = 5.f;
        felt::slice(transpose(y), 3, all()) = row;
        felt::flip<1>(y) += felt::full({3, 4}, 10.f);
    };
    write(r);
    write(c);
    CHECK(values(r) == plain{{3, 4}, {15, 10, 15, 11, 15, 10, 15, 12, 15, 10, 15, 13}});
    CHECK(values(c) == values(r));
}
