// SPDX-License-Identifier: BSD-3-Clause
//
// What every kind of node says of itself: a new one gets a line in each of these tests.
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <limits>

using felt::Tensor;

namespace {

// Node n over its own operands is n: the same type, and the same values.
template <class N>
void check_same(N const& n) {
    auto const again = n.over(n.operands());
    static_assert(std::is_same_v<decltype(again), N const>);
    CHECK(again.extents() == n.extents());
    auto const x = felt::eval(n), y = felt::eval(again);
    CHECK(bool(felt::all(x == y)));
}

struct plus {
    float by;
    bool operator==(plus const&) const = default;
    FELT_FN float operator()(float x) const { return x + by; }
};

// Whether the planner takes two nodes of one type for one, if their operands are the same.
template <class N>
bool same(N const& a, N const& b) {
    return felt::planning::detail::same_node<N>(&a, &b);
}

// Statements that hold both: neither the fused nor the unfused run may take one for the other.
template <class N>
void check_apart(N const& a, N const& b) {
    CHECK(same(a, a));
    CHECK_FALSE(same(a, b));
    Tensor<double, 0> y;
    auto const both = felt::cast<double>(felt::max(a)) + felt::cast<double>(felt::max(b));
    typename N::value_type const first = felt::max(felt::eval(a)),
                                 second = felt::max(felt::eval(b));
    double const want = static_cast<double>(first) + static_cast<double>(second);
    run(felt::fused, assign(y, both));
    CHECK(y() == want);
    run(felt::unfused, assign(y, both));
    CHECK(y() == want);
}

}  // namespace

TEST_CASE("a node over its own operands is itself, whatever its kind") {
    Tensor<float, 2> x({4, 6}), w({4, 4});
    x = felt::normal<float>({4, 6}, 1);
    w = felt::normal<float>({4, 4}, 2);
    auto const rows = Tensor<felt::index_t, 1>::of({2, 0});
    check_same(x + w(1, 1));
    check_same(felt::map(plus{3}, x));
    check_same(felt::permute<1, 0>(felt::exp(x)));
    check_same(felt::pad(x, {{1, 1}, {2, 0}}, 5));
    check_same(felt::reshape(felt::exp(x), {3, 8}));
    check_same(felt::concat<1>(x, w));
    check_same(felt::gather<0>(x, rows));
    check_same(felt::scatter_add<0>({5, 6}, rows, felt::slice(x, felt::range(0, 2), felt::all())));
    check_same(felt::detail::once(felt::exp(x)));
    check_same(felt::sum<1>(x));
    check_same(felt::cumsum<1>(x));
    check_same(felt::einsum<"ij,ik->jk">(w, x));
}

TEST_CASE("nodes that differ in any datum of their own are two, whatever their kind") {
    Tensor<float, 2> x({3, 4}), z({3, 4});
    x = -1 - felt::uniform<float>({3, 4}, 1);
    z = -1 - felt::uniform<float>({3, 4}, 2);
    auto const rows = Tensor<felt::index_t, 1>::of({2, 0, 1});
    check_apart(felt::as_node(x), felt::as_node(z));
    check_apart(felt::as_node(Tensor<float, 2>(x)), felt::as_node(Tensor<float, 2>(z)));
    check_apart(felt::packed(x), felt::packed(z));
    check_apart(felt::uniform<float>({5}, 3), felt::uniform<float>({5}, 4));
    check_apart(felt::uniform<float>({50}, 3), felt::uniform<float>({5000}, 3));
    check_apart(felt::map(plus{1}, x), felt::map(plus{2}, x));
    check_apart(felt::slice(felt::exp(x), felt::range(0, 1), felt::all()),
                felt::slice(felt::exp(x), felt::range(1, 2), felt::all()));
    check_apart(felt::pad(x, {{1, 1}, {0, 0}}, 5), felt::pad(x, {{1, 1}, {0, 0}}, 6));
    check_apart(felt::pad(x, {{1, 0}, {0, 0}}, 5), felt::pad(x, {{0, 0}, {0, 0}}, 5));
    check_apart(felt::scatter_add<0>({3, 4}, rows, x), felt::scatter_add<0>({4, 4}, rows, x));
    CHECK_FALSE(same(felt::reshape(x + 1, {2, 6}), felt::reshape(x + 1, {6, 2})));
    CHECK_FALSE(same(felt::as_node(2.f), felt::as_node(3.f)));
}

TEST_CASE("nodes are the same by their own data, whatever their operands are") {
    Tensor<float, 2> const x({3, 4}), y({3, 4});
    CHECK(same(exp(x), exp(y)));
    CHECK(same(felt::as_node(x), felt::as_node(x)));
    CHECK(same(felt::reshape(x + 1, {2, 6}), felt::reshape(y + 1, {2, 6})));
    CHECK(same(felt::map(plus{3}, x), felt::map(plus{3}, x)));
}

TEST_CASE("numbers are the same by their bits") {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(felt::detail::equal_bits(nan, nan));
    CHECK_FALSE(felt::detail::equal_bits(0.f, -0.f));
    CHECK(felt::detail::equal_bits(3, 3));
}

TEST_CASE("rows say what the planner and the device go by") {
    using felt::node_kind, felt::trait_of;
    for (auto const& row : felt::kind_traits) {
        CHECK(&trait_of(row.kind) == &row);
        if (row.sums) CHECK(row.waits != nullptr);
        if (row.picks_any) CHECK(row.takes_boxes);
    }
    CHECK(trait_of(node_kind::once).lies_as_operand);
    CHECK(felt::trait_of_node<felt::leaf<float, 1, felt::Host>>.is_in_memory);
}

TEST_CASE("new operands may be of another type") {
    auto const x = Tensor<float, 1>::of({1, 4, 9});
    auto const n = felt::as_node(x) * felt::as_node(x);
    auto const m = n.over(felt::make_tuple(felt::sqrt(x), felt::scalar<float>{2}));
    Tensor<float, 1> const y = m;
    CHECK(y(0) == 2);
    CHECK(y(1) == 4);
    CHECK(y(2) == 6);
}
