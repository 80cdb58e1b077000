// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::planning::graph;
using felt::planning::same_value;
using test::nowhere;

namespace {

struct scaled {
    float by;
    float operator()(float x) const { return by * x; }
    bool operator==(scaled const&) const = default;
};
struct secret {
    float by;
    float operator()(float x) const { return by * x; }
};

// Whether a and b, side by side in one graph, are the same value.
template <class A, class B>
bool same(A const& a, B const& b) {
    auto const x = felt::as_node(a);
    auto const y = felt::as_node(b);
    graph g;
    describe(x, g);
    int const second = static_cast<int>(g.size());
    describe(y, g);
    return same_value(g, 0, second);
}

}  // namespace

TEST_CASE("two nodes are one if types, own data and operands are equal") {
    auto const x = nowhere(1, {3, 4}), y = nowhere(2, {3, 4});
    CHECK(same(x, x));
    CHECK(same(exp(x) + y, exp(x) + y));
    CHECK_FALSE(same(exp(x) + y, exp(y) + y));
    CHECK_FALSE(same(x, slice(x, felt::range(0, 2), felt::all())));
    CHECK_FALSE(same(x, felt::view(x.data(), {3, 4}, {8, 1})));
    CHECK_FALSE(same(exp(x), felt::log(x)));
    CHECK(same(x * 2, x * 2));
    CHECK_FALSE(same(x * 2, x * 3));
    float const nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(same(x * nan, x * nan));
    CHECK(same(felt::sum<1>(x), felt::sum<1>(x)));
    CHECK_FALSE(same(felt::sum<1>(x), felt::sum<0>(x)));
    CHECK(same(matmul(x, transpose(y)), matmul(x, transpose(y))));
    CHECK_FALSE(same(matmul(x, transpose(y)), matmul(y, transpose(y))));
}

TEST_CASE("zeros of either sign are two values") {
    auto const x = nowhere(1, {3});
    CHECK_FALSE(same(x / 0.f, x / -0.f));
}

TEST_CASE("random streams are one by seed, functors by ==, or never") {
    auto const x = nowhere(1, {3});
    CHECK(same(felt::uniform<float>({3}, 1), felt::uniform<float>({3}, 1)));
    CHECK_FALSE(same(felt::uniform<float>({3}, 1), felt::uniform<float>({3}, 2)));
    CHECK_FALSE(same(felt::uniform<float>({3}, 1), felt::uniform<float>({4}, 1)));
    CHECK(same(felt::map(scaled{2}, x), felt::map(scaled{2}, x)));
    CHECK_FALSE(same(felt::map(scaled{2}, x), felt::map(scaled{3}, x)));
    CHECK_FALSE(same(felt::map(secret{2}, x), felt::map(secret{2}, x)));
}

TEST_CASE("views are one by their index maps and their fill values") {
    auto const x = exp(nowhere(1, {8, 8}));
    CHECK(same(pad(x, {{1, 1}, {1, 1}}), pad(x, {{1, 1}, {1, 1}})));
    CHECK_FALSE(same(pad(x, {{1, 1}, {1, 1}}), pad(x, {{2, 0}, {1, 1}})));
    CHECK_FALSE(same(pad(x, {{1, 1}, {1, 1}}), pad(x, {{1, 1}, {1, 1}}, 5.f)));
    CHECK_FALSE(same(slice(x, felt::range(0, 4), 1), slice(x, felt::range(4, 8), 1)));
    CHECK_FALSE(same(reshape(x, {64}), reshape(x, {4, 16})));
    CHECK_FALSE(same(reshape(x, {16, 4}), reshape(x, {4, 16})));
    CHECK_FALSE(same(felt::upsample(x, {2, 2}), felt::upsample(x, {2, 4})));
}
