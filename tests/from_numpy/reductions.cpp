// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions, searching, sorting and sets. Each line of docs/13_from_numpy.md on them; the numbers
// are NumPy's.
#include "tests/from_numpy/same.hpp"
#include <felt/sorting.hpp>

using namespace felt;
using test::same, test::C, test::NaN;

namespace {

auto const x = Tensor<double, 2>::of({{0.5, -1.25, 2}, {3.75, 0, -2.5}});
auto const y = Tensor<double, 2>::of({{1.5, 2, -0.5}, {1, -3, 0.75}});
auto const v = Tensor<double, 1>::of({3, -1, 2});
auto const w = Tensor<double, 1>::of({0.5, 4, -2});
auto const p = Tensor<bool, 1>::of({true, false, true});
auto const r = Tensor<double, 1>::of({3, 1, 3, 2, 1});
Tensor<double, 3> const t = reshape(arange<double>(-5, 7), {2, 2, 3});
auto const o = Tensor<double, 1>::of({-1, 0, 2, 3});

}  // namespace

TEST_CASE("statistical functions") {
    CHECK(same(cumsum<1>(x), {{0.5, -0.75, 1.25}, {3.75, 3.75, 1.25}}));
    CHECK(same(cumsum(pad(v, {{1, 0}})), {0, 3, 2, 4}));
    CHECK(same(cumprod<0>(x), {{0.5, -1.25, 2}, {1.875, 0, -5}}));
    CHECK(same(cumprod(pad(v, {{1, 0}}, 1)), {1, 3, -3, -6}));
    CHECK(same(max(x), 3.75));
    CHECK(same(max<0>(x), {3.75, 0, 2}));
    CHECK(same(max<1>(x, keepdims), {{2}, {3.75}}));
    CHECK(same(mean<1>(x), {0.416666667, 0.416666667}));
    CHECK(same(min<0>(x), {0.5, -1.25, -2.5}));
    CHECK(same(prod<1>(x), {-1.25, 0}));
    CHECK(same(stddev<1>(x), {1.32811479, 2.56850583}));
    CHECK(same(stddev<1>(x, {.ddof = 1}), {1.62660177, 3.14576435}));
    CHECK(same(sum(x), 2.5));
    CHECK(same(sum<0>(x), {4.25, -1.25, -0.5}));
    CHECK(same(sum<0, 2>(t), {-6, 12}));
    CHECK(same(var<0>(x), {2.640625, 0.390625, 5.0625}));
    CHECK(same(var<0>(x, {.ddof = 1}), {5.28125, 0.78125, 10.125}));
}

TEST_CASE("utility functions") {
    CHECK(same(all(p), 0));
    CHECK(same(any<1>(x > 3), {0, 1}));
    CHECK(same(diff(x), {{-1.75, 3.25}, {-3.75, -2.5}}));
    CHECK(same(diff<0>(x), {{3.25, 1.25, -4.5}}));
    CHECK(same(diff<1, 2>(x), {{5}, {1.25}}));
    CHECK(same(diff(concat<0>(w, v)), {3.5, -6, 5, -4, 3}));
}

TEST_CASE("searching functions") {
    CHECK(same(argmax<1>(x), {2, 0}));
    CHECK(same(argmin(x), 5));
    CHECK(same(count_nonzero(x), 5));
    CHECK(same(count_nonzero<1>(x), {3, 2}));
    auto const [row, column] = nonzero(x);
    CHECK(same(row, {0, 0, 0, 1, 1}));
    CHECK(same(column, {0, 1, 2, 0, 2}));
    CHECK(same(searchsorted(o, v), {3, 0, 2}));
    CHECK(same(searchsorted(o, v, side::right), {4, 1, 3}));
    CHECK(same(where(x > 0, x, y), {{0.5, 2, 2}, {3.75, -3, 0.75}}));
}

TEST_CASE("sorting functions") {
    CHECK(same(argsort<1>(x), {{1, 0, 2}, {2, 1, 0}}));
    CHECK(same(argsort<1>(x, sort_order::descending), {{2, 0, 1}, {0, 1, 2}}));
    CHECK(same(sort<0>(x), {{0.5, -1.25, -2.5}, {3.75, 0, 2}}));
    CHECK(same(sort<1>(x, sort_order::descending), {{2, 0.5, -1.25}, {3.75, 0, -2.5}}));
}

TEST_CASE("set functions") {
    auto const all_of = unique_all(r);
    CHECK(same(all_of.values, {1, 2, 3}));
    CHECK(same(all_of.indices, {1, 3, 0}));
    CHECK(same(all_of.inverse_indices, {2, 0, 2, 1, 0}));
    CHECK(same(all_of.counts, {2, 1, 2}));
    auto const [found, counts] = unique_counts(r);
    CHECK(same(found, {1, 2, 3}));
    CHECK(same(counts, {2, 1, 2}));
    auto const [each, inverse] = unique_inverse(r);
    CHECK(same(gather<0>(each, inverse), {3, 1, 3, 2, 1}));
    CHECK(same(unique(r), {1, 2, 3}));
}
