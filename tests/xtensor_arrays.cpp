// SPDX-License-Identifier: BSD-3-Clause
//
// xtensor arrays as operands and destinations, Felt tensors as xtensor arrays: the same elements,
// never a copy.
#include <felt/xtensor_arrays.hpp>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <xtensor/xfixed.hpp>
#include <complex>
#include <numeric>

namespace {

using matrix = xt::xtensor<float, 2>;
using columns = xt::xtensor<float, 2, xt::layout_type::column_major>;
using felt::Tensor;

matrix numbers() { return {{1, 2, 3}, {4, 5, 6}}; }

// 0, 1, 2, ... row by row.
template <std::size_t R>
xt::xtensor<float, R> counting(std::array<std::size_t, R> const& shape) {
    xt::xtensor<float, R> x(shape);
    std::iota(x.data(), x.data() + x.size(), 0.f);
    return x;
}

// x(i, j) == a(i, j), by element access on both sides.
template <class X, class A>
bool same(X const& x, A const& a) {
    for (std::size_t i = 0; i < a.shape()[0]; ++i) {
        for (std::size_t j = 0; j < a.shape()[1]; ++j) {
            if (x(i, j) != a(i, j)) return false;
        }
    }
    return x.extent(0) == static_cast<felt::index_t>(a.shape()[0]) &&
           x.extent(1) == static_cast<felt::index_t>(a.shape()[1]);
}

template <class X, class A>
bool shows(X const& x, A&& a) {
    return x.data() == &a(0, 0) && same(x, a);
}

}  // namespace

TEST_CASE("a view of an xtensor array is its elements, in every order and by every slice") {
    matrix a = numbers();
    columns f = numbers();
    CHECK(shows(felt::view(a), a));
    CHECK(shows(felt::view(f), f));
    xt::xtensor_fixed<float, xt::xshape<2, 3>> fixed = numbers();
    CHECK(shows(felt::view(fixed), fixed));
    auto x = counting<3>({3, 4, 5});
    auto row = xt::view(x, 1, xt::all(), xt::range(1, 5, 2));
    CHECK(shows(felt::view(row), row));
    auto m = counting<2>({12, 5});
    auto column = xt::view(m, xt::range(11, xt::placeholders::_, -3), xt::range(0, 5, 2));
    CHECK(shows(felt::view(column), column));
    auto inner = xt::view(column, xt::range(1, 3), xt::range(0, 2));
    CHECK(shows(felt::view(inner), inner));
    auto turned = xt::transpose(a);
    CHECK(shows(felt::view<2>(turned), turned));
    auto tall = xt::view(a, xt::all(), xt::newaxis(), 1);
    CHECK(shows(felt::view(tall), tall));
}

// xtensor 0.24 cannot say what the strides of an xarray are where C++17's rule for template
// template arguments holds, which clang follows from 19 on.
#if !defined(__clang__) || __clang_major__ < 19 || XTENSOR_VERSION_MINOR > 24
TEST_CASE("an xarray is told its rank at the door, and so is a view with slices by list") {
    xt::xarray<float> d = numbers();
    CHECK(shows(felt::view<2>(d), d));
    CHECK_THROWS_WITH_AS(felt::view<3>(d), "view: an xtensor array of rank 2 as one of rank 3",
                         felt::shape_error);
    felt::view<2>(d) += 1.f;
    CHECK(d(1, 2) == 7);
    auto x = counting<3>({3, 4, 5});
    auto strided = xt::strided_view(x, {xt::ellipsis(), xt::range(0, 4), 2});
    CHECK(shows(felt::view<2>(strided), strided));
    static_assert(!felt::operand<xt::xarray<float>&>);
    static_assert(!felt::foreign_array_has_its_rank_in_its_type<xt::xarray<float>&>);
}
#endif

TEST_CASE("constant arrays are constant views") {
    matrix const a = numbers();
    static_assert(std::is_same_v<decltype(felt::view(a)), felt::View<float const, 2>>);
    static_assert(!felt::xtensor_destination<matrix const&>);
    static_assert(felt::xtensor_destination<matrix&>);
    auto row = xt::view(a, 1, xt::all());
    static_assert(std::is_same_v<decltype(felt::view(row)), felt::View<float const, 1>>);
    xt::xtensor<bool, 1> bits = {true, false};
    static_assert(std::is_same_v<decltype(felt::view(bits)), felt::View<bool, 1>>);
}

TEST_CASE("what has no elements in memory, or no rank, is no operand") {
    matrix const a = numbers();
    static_assert(felt::array_operand<decltype(a)&>);
    static_assert(!felt::operand<decltype(a + a)>);
    static_assert(!felt::foreign_expression_is_evaluated_first<decltype(a + a)>);
    static_assert(!felt::foreign_expression_is_evaluated_first<decltype(xt::zeros<float>({2, 3}))>);
    static_assert(!felt::operand<decltype(xt::view(a, xt::keep(0, 1), xt::all()))>);
    static_assert(!felt::operand<xt::xtensor<long double, 1>&>);
}

TEST_CASE("xtensor arrays of complex numbers are operands") {
    xt::xtensor<std::complex<float>, 1> const a = {{1, 2}, {3, -4}};
    Tensor<float, 1> const y = felt::real(a) + felt::abs(a);
    CHECK(y(0) == doctest::Approx(1 + std::sqrt(5.0)));
    CHECK(y(1) == doctest::Approx(8));
}

TEST_CASE("tensors and xtensor arrays meet in Felt's expressions, whichever comes first") {
    matrix a = numbers();
    Tensor<float, 2> y;
    y = a;
    CHECK(same(y, a));
    auto const e = y + a;
    auto const f = a * y;
    static_assert(felt::node<decltype(e)> && felt::node<decltype(f)>);
    static_assert(std::is_same_v<decltype(e), decltype(y + y) const>);  // no xtensor type inside
    Tensor<float, 2> const z = e - f / 2.f;
    CHECK(same(z, matrix{{1.5f, 2, 1.5f}, {0, -2.5f, -6}}));
    Tensor<float, 2> const w = where(a > y - 1.f, exp(y - a), a);
    CHECK(same(w, matrix{{1, 1, 1}, {1, 1, 1}}));
}

TEST_CASE("functions and products take xtensor arrays by their full names") {
    matrix const a = numbers();
    columns const b = xt::transpose(a);
    Tensor<float, 2> c = felt::matmul(a, b);
    CHECK(same(c, matrix{{14, 32}, {32, 77}}));
    Tensor<float, 2> const d =
        matmul(felt::abs(c), felt::view(a)(0, 0) * felt::transpose(felt::view(b)) * 0.f + a);
    CHECK(same(d, matrix{{142, 188, 234}, {340, 449, 558}}));
    float const total = felt::sum(a);
    CHECK(total == 21);
    Tensor<float, 1> const ends = felt::sum<0>(xt::view(a, xt::all(), xt::range(0, 3, 2)));
    CHECK(ends(0) == 5);
    CHECK(ends(1) == 9);
}

TEST_CASE("assign writes into xtensor arrays and their views, and never resizes them") {
    matrix a = numbers();
    auto const x = Tensor<float, 2>::of({{1, 1, 1}, {2, 2, 2}});
    auto const before = felt::allocations();
    felt::fuse(felt::assign(a, x * a));
    CHECK(a == matrix{{1, 2, 3}, {8, 10, 12}});
    felt::fuse(assign(xt::view(a, xt::all(), 1), -felt::sum<1>(x)));
    CHECK(a == matrix{{1, -3, 3}, {8, -6, 12}});
    columns f = numbers();
    felt::run(felt::unfused, felt::assign(f, x + 1.f));
    CHECK(f == columns{{2, 2, 2}, {3, 3, 3}});
    felt::noalias(f) = x + 2.f;
    CHECK(f == columns{{3, 3, 3}, {4, 4, 4}});
    felt::noalias(xt::view(f, xt::all(), 0)) = 0.f;
    felt::view(f) += x;
    CHECK(f == columns{{1, 4, 4}, {2, 6, 6}});
    felt::view(a) = 0.5f;
    CHECK(a == matrix{{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}});
    CHECK(felt::allocations().tensors - before.tensors <= 1);  // the unfused one's
    matrix small = {{1, 2}};
    CHECK_THROWS_WITH_AS(felt::fuse(felt::assign(small, x)), "assign: (2, 3) does not fit (1, 2)",
                         felt::shape_error);
}

TEST_CASE("a temporary array lives in the expression, a temporary view of a named one is read") {
    auto const e = felt::exp(matrix{{0, 0}, {0, 0}});
    CHECK(same(felt::eval(e), matrix{{1, 1}, {1, 1}}));
    matrix a = numbers();
    auto const row = felt::abs(xt::view(a, 1, xt::all()));
    auto const own = felt::abs(xt::view(numbers(), 1, xt::all()));
    a(1, 0) = -40;
    CHECK(felt::eval(row)(0) == 40);
    CHECK(felt::eval(own)(0) == 4);
}

TEST_CASE("tensors are xtensor arrays, with right strides in every layout") {
    auto x = Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}});
    auto a = felt::to_xtensor(x);
    CHECK(a.data() == x.data());
    CHECK(a == numbers());
    CHECK(a.layout() == xt::layout_type::row_major);
    a(1, 2) = 60;
    CHECK(x(1, 2) == 60);
    a *= 2.f;
    CHECK(x(0, 0) == 2);

    Tensor<float, 2, felt::Host, felt::ColMajor> const f = x;
    auto const c = felt::to_xtensor(f);
    CHECK(c.layout() == xt::layout_type::column_major);
    CHECK(c == felt::to_xtensor(x));
    static_assert(std::is_const_v<std::remove_reference_t<decltype(c(0, 0))>>);

    Tensor<float, 4, felt::Host, felt::ChannelsLast> n({2, 3, 4, 5});
    n = felt::iota<float>({2, 3, 4, 5});
    CHECK(felt::to_xtensor(n) == counting<4>({2, 3, 4, 5}));

    auto part = felt::to_xtensor(felt::slice(x, felt::all(), felt::range(1, 3)));
    matrix const sum = part + xt::ones<float>({2, 2});
    CHECK(sum == matrix{{5, 7}, {11, 121}});
    part = xt::zeros<float>({2, 2});
    CHECK(felt::to_xtensor(x) == matrix{{2, 0, 0}, {8, 0, 0}});

    felt::View<float const, 1> const back(x.data() + 5, {{2}}, {{-3}});
    CHECK(felt::to_xtensor(back) == xt::xtensor<float, 1>{0, 0});
    x(1, 2) = 7;
    CHECK(felt::to_xtensor(back) == xt::xtensor<float, 1>{7, 0});
    x(1, 2) = 0;

    Tensor<float, 2> row({1, 3});
    row = 1.f;
    CHECK(xt::eval(felt::to_xtensor(row) + a) == matrix{{3, 1, 1}, {9, 1, 1}});
    Tensor<float, 0> one;
    felt::to_xtensor(one)() = 3;
    CHECK(one() == 3);
}

TEST_CASE("adaptors of a tensor come back as views of it") {
    Tensor<float, 2> x({2, 3});
    auto const a = felt::to_xtensor(x);
    CHECK(felt::view(a).data() == x.data());
    std::vector<float> memory(6, 2);
    auto adapted = xt::adapt(memory, std::array<std::size_t, 2>{2, 3});
    felt::fuse(felt::assign(adapted, felt::view(adapted) * 2.f + x));
    CHECK(memory[5] == 4);
}

namespace with_using_directive {

using namespace felt;

TEST_CASE("using namespace felt changes nothing of all this") {
    matrix a = numbers();
    Tensor<float, 2> y = matmul(a, transpose(view(a)));
    auto const e = a + felt::to_xtensor(y)(0, 0);
    y = exp(y * 0.f) + y;
    CHECK(same(y, matrix{{15, 33}, {33, 78}}));
    fuse(assign(a, maximum(a, 3.f)));
    CHECK(a == matrix{{3, 3, 3}, {4, 5, 6}});
    CHECK(float(felt::sum(a)) == 24);
}

}  // namespace with_using_directive
