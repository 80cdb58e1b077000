// SPDX-License-Identifier: BSD-3-Clause
//
// Every way to carry out a statement finds what the destination's space brings, and none of them
// looks at an element: here that would end the program.
#include <doctest/doctest.h>
#include <tests/support/remote.hpp>

namespace {

using felt::index_t;
using matrix = felt::Tensor<double, 2, test::remote>;
using vector = felt::Tensor<double, 1, test::remote>;

// 1 2 3
// 4 5 6
matrix numbers() {
    matrix x;
    x = felt::reshape(felt::iota<double>(6) + 1, {2, 3});
    return x;
}

template <class X>
bool holds(X const& x, felt::literal<double, X::rank> const& expected) {
    auto const here = test::fetched(x);
    auto const want = felt::Tensor<double, X::rank>::of(expected);
    return here.extents() == want.extents() && bool(felt::all(here == want));
}

using labels = felt::Tensor<int, 1, test::remote>;

// f(x, at) stays in the space of x and at, and has the values that it has on the host.
template <class F>
void same(F const& f) {
    matrix const x = numbers();
    labels const at = felt::cast<int>(felt::iota(3) * 2 - felt::iota(3) * felt::iota(3));  // 0 1 0
    auto const local_x = test::fetched(x);
    auto const local_at = test::fetched(at);
    using E = decltype(f(x, at));
    static_assert(std::is_same_v<felt::space_of<E>, test::remote>);
    auto const here = felt::eval(f(local_x, local_at));
    auto const there = test::fetched(felt::eval(f(x, at)));
    REQUIRE(there.extents() == here.extents());
    CHECK(bool(felt::all(there == here)));
}

// A space that brings nothing.
struct nobody {};
template <class Space>
using statement_in = felt::statement<double, 1, Space, felt::leaf<double, 1, Space>>;
template <class How, class Space>
concept runs = requires(How how, statement_in<Space> const& s) { run(how, s); };

}  // namespace

TEST_CASE("assignments of every form run in the space of their destination") {
    matrix const x = numbers();
    CHECK(holds(x, {{1, 2, 3}, {4, 5, 6}}));
    matrix y = x * 2;
    y += x;
    CHECK(holds(y, {{3, 6, 9}, {12, 15, 18}}));
    noalias(y) = x - 1;
    CHECK(holds(y, {{0, 1, 2}, {3, 4, 5}}));
    felt::slice(y, felt::all(), 1) = felt::zeros<double>({2});
    CHECK(holds(y, {{0, 0, 2}, {3, 0, 5}}));
    CHECK(holds(matrix(felt::transpose(x)), {{1, 4}, {2, 5}, {3, 6}}));
}

TEST_CASE("groups, unfused runs and evaluations too") {
    matrix const x = numbers();
    vector rows, columns;
    felt::fuse(assign(rows, felt::sum<1>(x)), assign(columns, felt::sum<0>(x)));
    CHECK(holds(rows, {6, 15}));
    CHECK(holds(columns, {5, 7, 9}));
    run(felt::unfused, assign(rows, felt::sum<1>(square(x) + 1)));
    CHECK(holds(rows, {17, 80}));
    auto const product = felt::eval(matmul(x, felt::transpose(numbers())));
    static_assert(std::is_same_v<decltype(product), matrix const>);
    CHECK(holds(product, {{14, 32}, {32, 77}}));
}

TEST_CASE("a full reduction comes back as a number") {
    matrix const x = numbers();
    double const mean = felt::mean(x);
    CHECK(mean == 3.5);
    CHECK(index_t(felt::argmax(felt::reshape(x, {6}))) == 5);
    CHECK(felt::all_close(x, numbers()));
    CHECK_FALSE(felt::all_close(x, numbers() + 1));
}

TEST_CASE("every operation keeps the space of its operands") {
    using namespace felt;
    same([](auto& x, auto&) { return where(x > 2, exp(x), clip(x, 0, 1)); });
    same([](auto& x, auto&) { return transpose(x); });
    same([](auto& x, auto&) { return flip<1>(slice(x, range(0, 2), range(0, 3, 2))); });
    same([](auto& x, auto&) { return broadcast_to(expand_dims<0>(x), {2, 2, 3}); });
    same([](auto& x, auto&) { return upsample(pad(x, {{1, 0}, {0, 1}}, 7), {2, 1}); });
    same([](auto& x, auto&) { return windows(x, {2, 2}); });
    same([](auto& x, auto&) { return reshape(x, {3, 2}); });
    same([](auto& x, auto&) { return concat<0>(reshape(x + 1, {3, 2}), transpose(x)); });
    same([](auto& x, auto& at) { return gather<0>(x, at); });
    same([](auto& x, auto& at) { return scatter_add<1>({2, 4}, at, x); });
    same([](auto& x, auto& at) { return einsum<"ij,jk->kj">(x, one_hot<double>(at, 2)); });
    same([](auto& x, auto&) { return softmax<1>(x) + mean<0>(x); });
    same([](auto& x, auto&) { return kron(x, max<1>(x, keepdims)); });
}

TEST_CASE("the host does not run what is not its own") {
    static_assert(runs<felt::fused_t, felt::Host> && runs<felt::unfused_t, felt::Host>);
    static_assert(runs<felt::fused_t, test::remote> && runs<felt::unfused_t, test::remote>);
    static_assert(!runs<felt::fused_t, nobody> && !runs<felt::unfused_t, nobody>);
}
