// SPDX-License-Identifier: BSD-3-Clause
//
// What an array is: its operators, types and constants. Each line of docs/13_from_numpy.md on them;
// the numbers are NumPy's.
#include "tests/from_numpy/same.hpp"
#include <felt/sorting.hpp>
#include <numbers>

using namespace felt;
using test::same, test::C, test::inf, test::NaN;

namespace {

auto const x = Tensor<double, 2>::of({{0.5, -1.25, 2}, {3.75, 0, -2.5}});
auto const y = Tensor<double, 2>::of({{1.5, 2, -0.5}, {1, -3, 0.75}});
auto const v = Tensor<double, 1>::of({3, -1, 2});
auto const n = Tensor<int, 1>::of({7, -7, 6, 1});
auto const m = Tensor<int, 1>::of({2, 2, -4, 3});
auto const p = Tensor<bool, 1>::of({true, false, true});
auto const q = Tensor<bool, 1>::of({true, true, false});
auto const z = Tensor<C, 1>::of({C(1, 2), C(0, -1), C(-3, 0.5)});
auto const a = Tensor<double, 2>::of({{2, 1, 0}, {-1, 3, 1}, {0.5, 0, 4}});
auto const b = Tensor<double, 2>::of({{1, 2}, {3, 4}, {-1, 0.5}});
auto const s = Tensor<double, 2>::of({{4, 1, 0}, {1, 3, -1}, {0, -1, 2}});
Tensor<double, 3> const t = reshape(arange<double>(-5, 7), {2, 2, 3});

}  // namespace

TEST_CASE("array object") {
    static_assert(std::is_same_v<value_of<decltype(x)>, double>);
    static_assert(std::is_same_v<space_of<decltype(x)>, Host>);
    static_assert((rank_of<decltype(x)>) == 2);
    CHECK(x.extents() == felt::extents<2>{{2, 3}});
    CHECK(same(x.extent(1), 3));
    CHECK(same(x.size(), 6));
    CHECK(same(transpose(x), {{0.5, 3.75}, {-1.25, 0}, {2, -2.5}}));
    CHECK(same(mT(t), {{{-5, -2}, {-4, -1}, {-3, 0}}, {{1, 4}, {2, 5}, {3, 6}}}));
    CHECK(same(abs(x), {{0.5, 1.25, 2}, {3.75, 0, 2.5}}));
    CHECK(same(x + y, {{2, 0.75, 1.5}, {4.75, -3, -1.75}}));
    CHECK(same(2 + x, {{2.5, 0.75, 4}, {5.75, 2, -0.5}}));
    CHECK(same(x - y, {{-1, -3.25, 2.5}, {2.75, 3, -3.25}}));
    CHECK(same(2 - x, {{1.5, 3.25, 0}, {-1.75, 2, 4.5}}));
    CHECK(same(x * y, {{0.75, -2.5, -1}, {3.75, 0, -1.875}}));
    CHECK(same(2 * x, {{1, -2.5, 4}, {7.5, 0, -5}}));
    CHECK(same(x / y, {{0.333333333, -0.625, -4}, {3.75, 0, -3.33333333}}));
    CHECK(same(1 / y, {{0.666666667, 0.5, -2}, {1, -0.333333333, 1.33333333}}));
    CHECK(same(n / 2., {3.5, -3.5, 3, 0.5}));
    CHECK(same(floor_divide(x, y), {{0, -1, -4}, {3, 0, -4}}));
    CHECK(same(floor_divide(n, 2), {3, -4, 3, 0}));
    CHECK(same(floor_divide(1, y), {{0, 0, -2}, {1, -1, 1}}));
    CHECK(same(remainder(x, y), {{0.5, 0.75, 0}, {0.75, 0, 0.5}}));
    CHECK(same(remainder(n, 4), {3, 1, 2, 1}));
    CHECK(same(remainder(1, y), {{1, 1, 0}, {0, -2, 0.25}}));
    CHECK(same(pow(x, y), {{0.353553391, 1.5625, 0.707106781}, {3.75, inf, NaN}}));
    CHECK(same(pow(2, y), {{2.82842712, 4, 0.707106781}, {2, 0.125, 1.68179283}}));
    CHECK(same(matmul(a, b), {{5, 8}, {7, 10.5}, {-3.5, 3}}));
    CHECK(same(matmul(a, v), {5, -4, 9.5}));
    CHECK(same(-x, {{-0.5, 1.25, -2}, {-3.75, 0, 2.5}}));
    CHECK(same(x, {{0.5, -1.25, 2}, {3.75, 0, -2.5}}));
    CHECK(same(x == y, {{0, 0, 0}, {0, 0, 0}}));
    CHECK(same(x != y, {{1, 1, 1}, {1, 1, 1}}));
    CHECK(same(x < y, {{1, 1, 0}, {0, 0, 1}}));
    CHECK(same(x <= y, {{1, 1, 0}, {0, 0, 1}}));
    CHECK(same(x > y, {{0, 0, 1}, {1, 1, 0}}));
    CHECK(same(x >= y, {{0, 0, 1}, {1, 1, 0}}));
    CHECK(same(n & m, {2, 0, 4, 1}));
    CHECK(same(p & q, {1, 0, 0}));
    CHECK(same(n | m, {7, -5, -2, 3}));
    CHECK(same(p | q, {1, 1, 1}));
    CHECK(same(n ^ m, {5, -5, -6, 2}));
    CHECK(same(p ^ q, {0, 1, 1}));
    CHECK(same(~n, {-8, 6, -7, -2}));
    CHECK(same(!p, {0, 1, 0}));
    CHECK(same(n << 2, {28, -28, 24, 4}));
    CHECK(same(n >> 1, {3, -4, 3, 0}));
    {
        Tensor<double, 2> c = y;
        c += x;
        CHECK(same(c, {{2, 0.75, 1.5}, {4.75, -3, -1.75}}));
        c -= x;
        CHECK(same(c, {{1.5, 2, -0.5}, {1, -3, 0.75}}));
        c *= y;
        CHECK(same(c, {{2.25, 4, 0.25}, {1, 9, 0.5625}}));
        c /= y;
        CHECK(same(c, {{1.5, 2, -0.5}, {1, -3, 0.75}}));
    }
    {
        Tensor<double, 2> c = y;
        c = floor_divide(c, x);
        CHECK(same(c, {{3, -2, -1}, {0, -inf, -1}}));
        c = x;
        c = remainder(c, y);
        CHECK(same(c, {{0.5, 0.75, 0}, {0.75, 0, 0.5}}));
        c = x;
        c = pow(c, y);
        CHECK(same(c, {{0.353553391, 1.5625, 0.707106781}, {3.75, inf, NaN}}));
    }
    {
        Tensor<double, 2> c = s;
        c = matmul(c, a);
        CHECK(same(c, {{7, 7, 1}, {-1.5, 10, -1}, {2, -3, 7}}));
    }
    {
        Tensor<int, 1> k = n;
        k = k & m;
        CHECK(same(k, {2, 0, 4, 1}));
        k = k | m;
        CHECK(same(k, {2, 2, -4, 3}));
        k = k ^ m;
        CHECK(same(k, {0, 0, 0, 0}));
    }
    {
        Tensor<int, 1> k = n;
        k = k << 2;
        k = k >> 1;
        CHECK(same(k, {14, -14, 12, 2}));
    }
    CHECK(same(x(1, 2), -2.5));
    CHECK(same(slice(x, 1, all()), {3.75, 0, -2.5}));
    CHECK(same(slice(t, ellipsis, range(0, 3, 2)), {{{-5, -3}, {-2, 0}}, {{1, 3}, {4, 6}}}));
    CHECK(same(slice(v, from(-1, -1)), {2, -1, 3}));
    CHECK(same(masked_select(x, x > 0), {0.5, 2, 3.75}));
    {
        Tensor<double, 2> c = y;
        c = where(c > 1, 1, c);
        CHECK(same(c, {{1, 1, -0.5}, {1, -3, 0.75}}));
        slice(c, 1, all()) = 0;
        CHECK(same(c, {{1, 1, -0.5}, {0, 0, 0}}));
        auto const k = Tensor<index_t, 2>::of({{2}, {0}});
        c = put_along_axis<1>(c, k, 9);
        CHECK(same(c, {{1, 1, 9}, {9, 0, 0}}));
    }
    CHECK(same(bool(any(x > 3)), 1));
    CHECK(same(int(sum(n)), 7));
    CHECK(same(float(mean(x)), 0.416666667));
    CHECK(same(std::complex<double>(sum(z)), C(-2, 1.5)));
    CHECK(same(index_t(argmax(x)), 3));
}

TEST_CASE("constants") {
    CHECK(same(std::numbers::e, 2.71828183));
    CHECK(same(std::numbers::pi, 3.14159265));
    CHECK(same(std::numeric_limits<double>::infinity(), inf));
    CHECK(same(std::numeric_limits<double>::quiet_NaN(), NaN));
    CHECK(same(expand_dims<1>(x), {{{0.5, -1.25, 2}}, {{3.75, 0, -2.5}}}));
}

TEST_CASE("data types") {
    CHECK(same(Tensor<bool, 1>::of({true, false}), {1, 0}));
    CHECK(same(Tensor<std::int8_t, 1>::of({1, -2}), {1, -2}));
    CHECK(same(Tensor<std::int16_t, 1>::of({1, -2}), {1, -2}));
    CHECK(same(Tensor<std::int32_t, 1>::of({1, -2}), {1, -2}));
    CHECK(same(Tensor<std::int64_t, 1>::of({1, -2}), {1, -2}));
    CHECK(same(Tensor<std::uint8_t, 1>::of({1, 255}), {1, 255}));
    CHECK(same(Tensor<std::uint16_t, 1>::of({1, 2}), {1, 2}));
    CHECK(same(Tensor<std::uint32_t, 1>::of({1, 2}), {1, 2}));
    CHECK(same(Tensor<std::uint64_t, 1>::of({1, 2}), {1, 2}));
    CHECK(same(Tensor<float, 1>::of({1, 0.5f}), {1, 0.5}));
    CHECK(same(Tensor<double, 1>::of({1, 0.5}), {1, 0.5}));
    CHECK(same(Tensor<std::complex<float>, 1>({2}), {0, 0}));
    CHECK(same(Tensor<std::complex<double>, 1>({2}), {0, 0}));
    CHECK(same(cast<int>(x), {{0, -1, 2}, {3, 0, -2}}));
    static_assert(!(assignable_from<Tensor<float, 2>, decltype(x)>));
    static_assert(assignable_from<Tensor<double, 2>, Tensor<float, 2>>);
    CHECK(same(std::numeric_limits<float>::epsilon(), 1.1920929e-07));
    CHECK(same(std::numeric_limits<float>::max(), 3.40282347e+38));
    CHECK(same(std::numeric_limits<int>::min(), -2147483648));
    CHECK(same(std::numeric_limits<int>::max(), 2147483647));
    static_assert(std::floating_point<value_of<decltype(x)>>);
    static_assert(std::integral<value_of<decltype(n)>>);
    static_assert(std::is_same_v<value_of<decltype(p + n)>, int>);
}
