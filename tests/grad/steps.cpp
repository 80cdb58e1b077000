// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;
using test::message;
using test::values;

namespace {
struct no_states {
    template <class N>
    static constexpr bool has = false;
};
}  // namespace

TEST_CASE("a series at its first step, and at others") {
    auto const X = test::numbered<Tensor<double, 3>>({4, 2, 3});
    auto const x = steps(X);
    CHECK(x.extents() == extents<2>{{2, 3}});
    CHECK(values(x + 0) == values(slice(X, 0, all(), all())));
    CHECK(values(steps(X, 2) + 0) == values(slice(X, 2, all(), all())));
    for (index_t t : {0, 1, 3}) CHECK(values(x.at(t) + 0) == values(slice(X, t, all(), all())));
    CHECK(values(x.series(4)) == values(X));
    CHECK(values(steps(X, 1).series(2)) == values(slice(X, range(1, 3), all(), all())));
}

TEST_CASE("series of any layout, and of numbers") {
    Tensor<double, 3> const X = test::numbered<Tensor<double, 3>>({4, 2, 3});
    Tensor<double, 3, Host, ColMajor> const C = X;
    auto const v = permute<1, 2, 0>(X);
    CHECK(values(steps(C).at(3) + 0) == values(slice(X, 3, all(), all())));
    CHECK(values(steps(v).at(1) + 0) == values(slice(v, 1, all(), all())));
    auto const one = Tensor<double, 1>::of({5, 6, 7});
    CHECK(double(steps(one).at(2) + 0) == 7);
}

TEST_CASE("an expression at a step, and one of the step after") {
    auto const X = test::numbered<Tensor<double, 2>>({4, 3});
    auto const x = named<"x">(steps(X));
    auto const e = 2 * let<"z">(x + 1) + reshape(x, {3});
    auto const at = [&](index_t t) { return values(derive::at_step(e, no_states{}, t)); };
    for (index_t t = 0; t != 4; ++t) CHECK(at(t) == values(3 * slice(X, t, all()) + 2));
    derive::next_node<std::remove_const_t<decltype(x)>> const next{{x}};
    CHECK(values(derive::at_step(next, no_states{}, 1)) == values(slice(X, 2, all())));
    CHECK(values(derive::at_step(next, no_states{}, 3)) == values(slice(X, 3, all())));
}

TEST_CASE("there has to be such a step") {
    Tensor<double, 2> const x({4, 3}), none({0, 3});
    CHECK(message([&] { (void)steps(x, 4); }) == "steps: (4, 3) has no step 4");
    CHECK(message([&] { (void)steps(x, -1); }) == "steps: (4, 3) has no step -1");
    CHECK(message([&] { (void)steps(none); }) == "steps: (0, 3) has no step 0");
}
