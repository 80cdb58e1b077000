// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/leaf.hpp>
#include <type_traits>

using felt::as_node;
using felt::Tensor;
using test::plain;
using test::values;

namespace {

Tensor<float, 1> make() { return Tensor<float, 1>::of({1, 2, 3}); }

auto expression_over_locals() {
    auto a = make();
    auto b = Tensor<float, 1>::of({10, 20, 30});
    return std::move(a) + std::move(b) + make();
}

}  // namespace

TEST_CASE("a named tensor enters an expression as a view of it") {
    auto x = make();
    auto const n = as_node(x);
    CHECK(n.data == x.data());
    CHECK(n.extents() == x.extents());
    auto e = x + x;
    x(0) = 5;
    CHECK(values(e) == plain{{3}, {10, 4, 6}});
}

TEST_CASE("a temporary tensor moves into the expression: nothing dangles") {
    auto e = expression_over_locals();
    CHECK(values(e) == plain{{3}, {12, 24, 36}});
    CHECK(values(e) == plain{{3}, {12, 24, 36}});
    auto x = make();
    float const* const where = x.data();
    auto n = as_node(std::move(x));
    CHECK(n.view.data == where);
    CHECK(x.size() == 0);
}

TEST_CASE("copying an expression that owns tensors copies no elements") {
    auto e = make() + make();
    auto const before = felt::allocations();
    auto const copy = e;
    auto const sum = copy + e;
    CHECK(felt::allocations().tensors == before.tensors);
    CHECK(values(sum) == plain{{3}, {4, 8, 12}});
}

TEST_CASE("all layouts enter as the same kind of leaf, told apart by strides") {
    Tensor<float, 2> const r({2, 3});
    Tensor<float, 2, felt::Host, felt::ColMajor> const c({2, 3});
    CHECK(std::is_same_v<decltype(as_node(r)), decltype(as_node(c))>);
    CHECK(as_node(r).stride == felt::extents<2>{{3, 1}});
    CHECK(as_node(c).stride == felt::extents<2>{{1, 2}});
}

TEST_CASE("a number enters by value, a node as it is") {
    CHECK(as_node(2.5).value == 2.5);
    CHECK(std::is_same_v<decltype(as_node(2.5f)), felt::scalar<float>>);
    auto const x = make();
    auto e = x * 2.f;
    CHECK(std::is_same_v<decltype(as_node(e)), decltype(e)>);
}

TEST_CASE("a view of a view's constant elements is a leaf of plain type") {
    auto const x = make();
    auto v = felt::view(x);
    CHECK(std::is_same_v<decltype(as_node(v)), decltype(as_node(x))>);
    CHECK(as_node(std::move(v)).data == x.data());
}
