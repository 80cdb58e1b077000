// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/map.hpp>
#include <type_traits>

using felt::Tensor;
using test::computed;
using test::message;
using test::numbered;
using test::plain;
using test::values;

namespace {

// Takes numbers alone, and none but elements: it cannot be given 0.
struct share_of_twelve {
    int operator()(int x) const { return 12 / x; }
};

// Takes numbers and batches, and carries state.
struct line {
    static constexpr char const* name = "line";
    float slope, start;
    template <class T>
    T operator()(T x) const {
        return slope * x + start;
    }
};

struct fused_three {
    template <class T>
    T operator()(T a, T b, T c) const {
        return a * b - c;
    }
};

struct is_large {
    bool operator()(float x) const { return x > 2; }
};

using matrix = Tensor<float, 2>;

}  // namespace

TEST_CASE("map calls a user's functor, with or without batches, with or without state") {
    auto const i = Tensor<int, 1>::of({5, -3, 8});
    CHECK(values(felt::map(share_of_twelve{}, i)) == plain{{3}, {2, -4, 1}});
    auto const x = numbered<Tensor<float, 1>>({37});
    CHECK(values(felt::map(line{2, 1}, x)) ==
          computed({37}, [](auto at) { return 2 * test::number(at[0]) + 1; }));
    CHECK(values(felt::map(is_large{}, Tensor<float, 1>::of({1, 2, 3}))) == plain{{3}, {0, 0, 1}});
}

TEST_CASE("map takes several operands and broadcasts them") {
    auto const x = numbered<matrix>({5, 19});
    auto const row = numbered<Tensor<float, 1>>({19}, 3);
    auto const a = values(x), b = values(row);
    CHECK(values(felt::map(fused_three{}, x, row, 2.f)) ==
          computed({5, 19}, [&](auto at) { return a(at[0], at[1]) * b(at[1]) - 2; }));
}

TEST_CASE("a functor's state travels with the expression") {
    auto const x = Tensor<float, 1>::of({1, 2});
    auto e = [&] {
        line const own{10, 3};
        return felt::map(own, x);
    }();
    CHECK(values(e) == plain{{2}, {13, 23}});
}

TEST_CASE("shapes broadcast as in NumPy") {
    auto const x = numbered<Tensor<float, 3>>({4, 1, 3});
    auto const y = numbered<matrix>({5, 1}, 7);
    auto const a = values(x), b = values(y);
    auto e = x + y;
    CHECK(e.extents() == felt::extents<3>{{4, 5, 3}});
    CHECK(values(e) ==
          computed({4, 5, 3}, [&](auto at) { return a(at[0], 0, at[2]) + b(at[1], 0); }));
    Tensor<float, 0> one;
    one = 3.f;
    CHECK(values(y + one) == computed({5, 1}, [&](auto at) { return b(at[0], 0) + 3; }));
}

TEST_CASE("an axis of extent 1 broadcasts to none") {
    matrix const none({0, 3}), row({1, 3});
    CHECK(values(none + row) == plain{{0, 3}, {}});
    CHECK(values(none + 1.f) == plain{{0, 3}, {}});
}

TEST_CASE("shapes that do not broadcast are an error that names the function and the shapes") {
    matrix const x({2, 3}), y({3, 2}), none({0, 3});
    CHECK(message([&] { (void)(x + y); }) == "+: shapes (2, 3) and (3, 2) do not broadcast");
    CHECK(message([&] { (void)(exp(x) * Tensor<float, 1>({4})); }) ==
          "*: shapes (2, 3) and (4) do not broadcast");
    CHECK(message([&] { (void)felt::map(fused_three{}, x, y, 1.f); }) ==
          "map: shapes (2, 3) and (3, 2) and () do not broadcast");
    CHECK_THROWS_AS(x + none, felt::shape_error);
}

TEST_CASE("a functor without state takes no room in the expression") {
    using leaf = felt::leaf<float, 1, felt::Host>;
    CHECK(sizeof(felt::map_node<fused_three, leaf, leaf, leaf>) == 3 * sizeof(leaf));
    CHECK(sizeof(felt::map_node<line, leaf>) > sizeof(leaf));
}
