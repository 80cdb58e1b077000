// SPDX-License-Identifier: BSD-3-Clause
#include <map>
#include <any>
#include <set>
#include <algorithm>
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/assign.hpp>
#include <type_traits>
#include <vector>

using felt::all;
using felt::assign;
using felt::range;
using felt::Tensor;
using test::message;
using test::numbered;
using test::plain;
using test::values;

namespace {

using matrix = Tensor<float, 2>;

auto const x = matrix::of({{1, 2, 3}, {4, 5, 6}});
auto const row = Tensor<float, 1>::of({10, 20, 30});

// where(c, x, y) into a tensor of layout To, from operands of layouts From and To.
template <class T, class From, class To>
void check_layouts(felt::extents<4> const& e) {
    auto const c = numbered<Tensor<bool, 4, felt::Host, From>>(e.value);
    auto const a = numbered<Tensor<T, 4, felt::Host, To>>(e.value, 7);
    auto const b = numbered<Tensor<T, 4, felt::Host, From>>(e.value, 11);
    Tensor<T, 4, felt::Host, To> y(e);
    y = where(c, a, b);
    auto const p = values(c), q = values(a), r = values(b);
    auto expected = q;
    for (std::size_t i = 0; i < r.values.size(); ++i) {
        if (p.values[i] == 0) expected.values[i] = r.values[i];
    }
    CHECK(values(y) == expected);
}

template <class Y, class E>
constexpr bool can_update = requires(Y& y, E const& e) { y += e; };

}  // namespace

TEST_CASE("y = e takes e's elements; y op= e changes y in place") {
    matrix y({2, 3});
    y = x + row;
    CHECK(values(y) == plain{{2, 3}, {11, 22, 33, 14, 25, 36}});
    y += x;
    y -= row;
    CHECK(values(y) == plain{{2, 3}, {2, 4, 6, 8, 10, 12}});
    y *= row / 10;
    y /= 2;
    CHECK(values(y) == plain{{2, 3}, {1, 4, 9, 4, 10, 18}});
    (y += 1) *= 2;
    CHECK(values(y) == plain{{2, 3}, {4, 10, 20, 10, 22, 38}});
}

TEST_CASE_TEMPLATE("operands and destinations of all layouts meet", T, float, double, int, bool) {
    using felt::ChannelsLast, felt::ColMajor, felt::RowMajor;
    for (auto const& e : {felt::extents<4>{{2, 3, 17, 5}}, {{1, 19, 1, 16}}, {{3, 0, 2, 2}}}) {
        check_layouts<T, RowMajor, ColMajor>(e);
        check_layouts<T, ColMajor, ChannelsLast>(e);
        check_layouts<T, ChannelsLast, RowMajor>(e);
        check_layouts<T, ChannelsLast, ChannelsLast>(e);
    }
}

TEST_CASE("an expression broadcasts to its destination") {
    matrix y({2, 3});
    y = 0.5f;
    CHECK(values(y) == plain{{2, 3}, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}});
    y = row;
    CHECK(values(y) == plain{{2, 3}, {10, 20, 30, 10, 20, 30}});
    y = sum<1>(x, felt::keepdims);
    CHECK(values(y) == plain{{2, 3}, {6, 6, 6, 15, 15, 15}});
    y = sum(x);
    CHECK(values(y) == plain{{2, 3}, {21, 21, 21, 21, 21, 21}});
    y -= 21;
    y += row;
    CHECK(values(y) == plain{{2, 3}, {10, 20, 30, 10, 20, 30}});
}

TEST_CASE("a destination never broadcasts, and nothing is written then") {
    Tensor<float, 2> y = felt::full({1, 3}, 7.f);
    CHECK(message([&] { y = x; }) == "assign: (2, 3) does not fit (1, 3)");
    CHECK(message([&] { y += x; }) == "assign: (2, 3) does not fit (1, 3)");
    CHECK_THROWS_AS((y = Tensor<float, 1>({2})), felt::shape_error);
    CHECK_THROWS_AS((y = matrix({3, 1})), felt::shape_error);
    CHECK_THROWS_AS((void)assign(y, x), felt::shape_error);
    CHECK(values(y) == plain{{1, 3}, {7, 7, 7}});
}

TEST_CASE("an empty tensor takes the extents of what it is assigned, a tensor made of e too") {
    matrix y;
    y = x * 2;
    CHECK(values(y) == plain{{2, 3}, {2, 4, 6, 8, 10, 12}});
    matrix const z = transpose(x) + 1;
    CHECK(z.extents() == felt::extents<2>{{3, 2}});
    Tensor<double, 2, felt::Host, felt::ColMajor> const f = x;
    CHECK(values(f) == values(x));
    Tensor<float, 1> none;
    none = Tensor<float, 1>({0}) + 1;
    CHECK(none.size() == 0);
}

TEST_CASE("assign is a statement that does nothing until it is run") {
    Tensor<float, 0> loss;
    matrix y({2, 3});
    auto const both = [&] { return std::pair(assign(y, x + 1), assign(loss, sum(x))); }();
    CHECK(values(y) == values(matrix({2, 3})));
    felt::run(felt::fused, both.first, both.second);
    CHECK(values(y) == plain{{2, 3}, {2, 3, 4, 5, 6, 7}});
    CHECK(loss() == 21);
}

TEST_CASE("assign gives an empty tensor its extents, so that a later statement can read it") {
    matrix h;
    Tensor<float, 1> totals;
    auto const first = assign(h, x * 2);
    CHECK(h.extents() == x.extents());
    auto const second = assign(totals, sum<1>(h));
    felt::fuse(first, second);
    CHECK(values(totals) == plain{{2}, {12, 30}});
}

TEST_CASE("fuse runs statements in order: a later one reads what an earlier one wrote") {
    matrix c({2, 3}), h({2, 3});
    Tensor<float, 1> means({2});
    felt::fuse(assign(c, x * 2), assign(h, c + 1), assign(means, mean<1>(h)));
    CHECK(values(h) == plain{{2, 3}, {3, 5, 7, 9, 11, 13}});
    CHECK(values(means) == plain{{2}, {5, 11}});
}

TEST_CASE("slices are destinations in assignments and in statements") {
    matrix y({3, 4});
    slice(y, range(0, 2), range(1, 4)) = x;
    slice(y, 2, all()) += 5;
    felt::fuse(assign(slice(y, range(0, 2), 0), Tensor<float, 1>::of({-1, -2})));
    CHECK(values(y) == plain{{3, 4}, {-1, 1, 2, 3, -2, 4, 5, 6, 5, 5, 5, 5}});
    CHECK(message([&] { slice(y, range(0, 2), all()) = x; }) ==
          "assign: (2, 3) does not fit (2, 4)");
}

TEST_CASE("an assignment that reads what it writes gives what it would without") {
    auto y = numbered<matrix>({5, 5});
    auto const before = values(y);
    y = y + transpose(y);
    CHECK(values(y) == test::computed({5, 5}, [&](auto at) {
              return before(at[0], at[1]) + before(at[1], at[0]);
          }));
    auto z = Tensor<float, 1>::of({1, 2, 3, 4, 5});
    slice(z, range(1, 5)) = slice(z, range(0, 4));
    CHECK(values(z) == plain{{5}, {1, 1, 2, 3, 4}});
    z = flip<0>(z);
    CHECK(values(z) == plain{{5}, {4, 3, 2, 1, 1}});
    z = z - mean(z);
    CHECK(values(z) == plain{{5}, {1.8, 0.8, -0.2, -1.2, -1.2}, 1e-6});
}

TEST_CASE("noalias promises that nothing is read and written: no temporary") {
    auto y = numbered<matrix>({40, 40});
    auto top = slice(y, range(0, 20), all()), bottom = slice(y, range(20, 40), all());
    auto const sum = values(top + flip<1>(bottom));
    auto const before = felt::allocations().tensors;
    felt::noalias(top) = top + flip<1>(bottom);
    CHECK(felt::allocations().tensors == before);
    CHECK(values(top) == sum);
    CHECK_THROWS_AS((felt::noalias(top) = x), felt::shape_error);
}

TEST_CASE("eval is a tensor of the expression's type, extents and space") {
    auto const e = felt::eval(x > 2);
    CHECK(std::is_same_v<decltype(felt::eval(x > 2)), Tensor<bool, 2>>);
    CHECK(values(e) == plain{{2, 3}, {0, 0, 1, 1, 1, 1}});
    CHECK(std::is_same_v<decltype(felt::eval(felt::iota(3))), Tensor<felt::index_t, 1>>);
}

TEST_CASE("what would narrow cannot be assigned or added") {
    CHECK(can_update<matrix, matrix>);
    CHECK(can_update<Tensor<double, 1>, Tensor<float, 1>>);
    CHECK_FALSE(can_update<Tensor<float, 1>, Tensor<double, 1>>);
    CHECK_FALSE(can_update<Tensor<float, 1>, matrix>);
    CHECK_FALSE(can_update<Tensor<int, 1>, double>);
    CHECK_FALSE(can_update<Tensor<float, 1> const, float>);
    CHECK(std::is_assignable_v<Tensor<int, 1>&, int>);
    CHECK_FALSE(std::is_assignable_v<Tensor<int, 1>&, float>);
    CHECK_FALSE(std::is_constructible_v<Tensor<float, 2>, Tensor<double, 2>>);
}

TEST_CASE("functions are found by their arguments, without using") {
    matrix const y = relu(matmul(x, transpose(x)) - 20) + abs(sign(sum<1>(x)));
    CHECK(values(y) == plain{{2, 2}, {1, 13, 13, 58}});
}

namespace names {
using namespace felt;

TEST_CASE("`using namespace felt` goes with the standard library's headers") {
    std::map<int, std::set<int>> m{{1, {2}}};
    std::any const something = 3;
    Tensor<float, 1> const t = map(op::square{}, Tensor<float, 1>::of({1, 2, 3}));
    bool const some = any(t > 8.f), every = all(t > 0.f);
    float const top = max(t), bottom = min(t);
    CHECK(values(clip(t, 2, 5)) == plain{{3}, {2, 4, 5}});
    CHECK((some && every && top == 9 && bottom == 1 && std::any_cast<int>(something) == 3));
    CHECK(std::max(m.size(), std::size_t{0}) == 1);
}
}  // namespace names
