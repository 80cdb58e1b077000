// SPDX-License-Identifier: BSD-3-Clause
//
// Which nodes are the same value, and how a node lies in its loops.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::planning::graph;
using felt::planning::node;
using felt::planning::node_id;
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
    node_id const second = g.nodes.end_id();
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

TEST_CASE("what holds a value lies as its operand, or by axes of its own") {
    auto const x = nowhere(1, {8, 8});
    auto const root = [](auto const& e) {
        graph g;
        describe(e, g);
        return g.nodes[0];
    };
    CHECK(lies_as_operand(root(felt::cumsum<1>(x))));
    CHECK(lies_as_operand(root(felt::detail::once(exp(x)))));
    CHECK_FALSE(lies_as_operand(root(felt::sum<1>(x))));
    CHECK_FALSE(lies_as_operand(root(matmul(x, x))));
    CHECK_FALSE(lies_as_operand(root(exp(x))));
}

TEST_CASE("a node has as many elements as its extents say, none if one of them is 0") {
    node f{};
    CHECK(felt::planning::detail::elements_of(f) == 1);
    f.rank = 3;
    f.extent[0] = 3, f.extent[1] = 1, f.extent[2] = 5;
    CHECK(felt::planning::detail::elements_of(f) == 15);
    CHECK(felt::planning::detail::elements(f) == 15);
    f.extent[1] = 0;
    CHECK(felt::planning::detail::elements_of(f) == 0);
    CHECK(felt::planning::detail::elements(f) == 0);
}

TEST_CASE("strides along loops are those of the axes that follow them") {
    felt::planning::axis_map at{};
    at.rank = 2, at.loops = 3;
    at.offset[0] = 4, at.offset[1] = 2;
    at.coef[0][2] = -1;
    at.coef[1][0] = at.coef[1][2] = 3;
    felt::index_t const stride[] = {10, 1};
    felt::index_t offset = -1, by_loop[felt::planning::max_axes] = {7, 7, 7};
    felt::planning::detail::locate(at, stride, offset, by_loop);
    CHECK(offset == 42);
    CHECK(by_loop[0] == 3);
    CHECK(by_loop[1] == 0);
    CHECK(by_loop[2] == -7);
}
