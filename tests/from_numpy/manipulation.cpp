// SPDX-License-Identifier: BSD-3-Clause
//
// Indices and shapes. Each line of docs/13_from_numpy.md on them; the numbers are NumPy's.
#include "tests/from_numpy/same.hpp"

using namespace felt;
using test::same, test::C, test::NaN;

namespace {

auto const x = Tensor<double, 2>::of({{0.5, -1.25, 2}, {3.75, 0, -2.5}});
auto const y = Tensor<double, 2>::of({{1.5, 2, -0.5}, {1, -3, 0.75}});
auto const v = Tensor<double, 1>::of({3, -1, 2});
Tensor<double, 3> const t = reshape(arange<double>(-5, 7), {2, 2, 3});
auto const i = Tensor<index_t, 1>::of({2, 0});
auto const j = Tensor<index_t, 2>::of({{2, 0}, {1, 1}});
auto const o = Tensor<double, 3>::of({{{1, 2, 3}}, {{4, 5, 6}}});

}  // namespace

TEST_CASE("indexing functions") {
    CHECK(same(gather<1>(x, i), {{2, 0.5}, {-2.5, 3.75}}));
    CHECK(same(gather<0>(v, i), {2, 3}));
    CHECK(same(take_along_axis<1>(x, j), {{2, 0.5}, {0, 0}}));
}

TEST_CASE("manipulation functions") {
    auto const [v2, x2] = broadcast_arrays(v, x);
    CHECK(same(v2, {{3, -1, 2}, {3, -1, 2}}));
    CHECK(same(x2, {{0.5, -1.25, 2}, {3.75, 0, -2.5}}));
    CHECK(same(broadcast_to(v, {2, 3}), {{3, -1, 2}, {3, -1, 2}}));
    CHECK(same(concat<0>(x, y), {{0.5, -1.25, 2}, {3.75, 0, -2.5}, {1.5, 2, -0.5}, {1, -3, 0.75}}));
    CHECK(same(concat<1>(x, y, x), {{0.5, -1.25, 2, 1.5, 2, -0.5, 0.5, -1.25, 2},
                                    {3.75, 0, -2.5, 1, -3, 0.75, 3.75, 0, -2.5}}));
    CHECK(same(concat<0>(flatten(x), flatten(y)),
               {0.5, -1.25, 2, 3.75, 0, -2.5, 1.5, 2, -0.5, 1, -3, 0.75}));
    CHECK(same(expand_dims<1>(x), {{{0.5, -1.25, 2}}, {{3.75, 0, -2.5}}}));
    CHECK(same(flip<1>(x), {{2, -1.25, 0.5}, {-2.5, 0, 3.75}}));
    CHECK(same(flip<0, 1>(x), {{-2.5, 0, 3.75}, {2, -1.25, 0.5}}));
    CHECK(same(moveaxis<0, 2>(t), {{{-5, 1}, {-4, 2}, {-3, 3}}, {{-2, 4}, {-1, 5}, {0, 6}}}));
    CHECK(same(permute<2, 0, 1>(t), {{{-5, -2}, {1, 4}}, {{-4, -1}, {2, 5}}, {{-3, 0}, {3, 6}}}));
    CHECK(same(repeat<1>(x, 2), {{0.5, 0.5, -1.25, -1.25, 2, 2}, {3.75, 3.75, 0, 0, -2.5, -2.5}}));
    CHECK(same(reshape(x, {3, 2}), {{0.5, -1.25}, {2, 3.75}, {0, -2.5}}));
    CHECK(same(reshape(x, {-1}), {0.5, -1.25, 2, 3.75, 0, -2.5}));
    CHECK(same(roll<1>(x, 1), {{2, 0.5, -1.25}, {-2.5, 3.75, 0}}));
    CHECK(same(roll<0, 1>(x, 1, -1), {{0, -2.5, 3.75}, {-1.25, 2, 0.5}}));
    CHECK(same(squeeze<1>(o), {{1, 2, 3}, {4, 5, 6}}));
    CHECK(same(stack<0>(x, y),
               {{{0.5, -1.25, 2}, {3.75, 0, -2.5}}, {{1.5, 2, -0.5}, {1, -3, 0.75}}}));
    CHECK(same(stack<-1>(x, y),
               {{{0.5, 1.5}, {-1.25, 2}, {2, -0.5}}, {{3.75, 1}, {0, -3}, {-2.5, 0.75}}}));
    CHECK(same(tile(x, {2, 1}),
               {{0.5, -1.25, 2}, {3.75, 0, -2.5}, {0.5, -1.25, 2}, {3.75, 0, -2.5}}));
    CHECK(same(tile(expand_dims<0>(x), {2, 1, 1}),
               {{{0.5, -1.25, 2}, {3.75, 0, -2.5}}, {{0.5, -1.25, 2}, {3.75, 0, -2.5}}}));
    auto const [x0, x1] = unstack<0, 2>(x);
    CHECK(same(x0, {0.5, -1.25, 2}));
    CHECK(same(x1, {3.75, 0, -2.5}));
}
