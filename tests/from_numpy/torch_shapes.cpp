// SPDX-License-Identifier: BSD-3-Clause
//
// Indices, shapes and the rest: the lines of docs/13_from_numpy.md on PyTorch's that are not the
// Array API's too. The numbers are PyTorch's.
#include "tests/from_numpy/same.hpp"
#include <felt/sorting.hpp>
#include <numeric>

using namespace felt;
using test::same, test::C;

namespace {

auto const x = Tensor<double, 2>::of({{0.5, -1.25, 2}, {3.75, 0, -2.5}});
auto const y = Tensor<double, 2>::of({{1.5, 2, -0.5}, {1, -3, 0.75}});
auto const v = Tensor<double, 1>::of({3, -1, 2});
auto const w = Tensor<double, 1>::of({0.5, 4, -2});
auto const n = Tensor<int, 1>::of({7, -7, 6, 1});
auto const m = Tensor<int, 1>::of({2, 2, -4, 3});
auto const z = Tensor<C, 1>::of({C(1, 2), C(0, -1), C(-3, 0.5)});
auto const a = Tensor<double, 2>::of({{2, 1, 0}, {-1, 3, 1}, {0.5, 0, 4}});
auto const b = Tensor<double, 2>::of({{1, 2}, {3, 4}, {-1, 0.5}});
auto const d = Tensor<double, 2>::of({{1, 2}, {3, 4}});
Tensor<double, 3> const t = reshape(arange<double>(-5, 7), {2, 2, 3});
auto const i = Tensor<index_t, 1>::of({2, 0});
auto const j = Tensor<index_t, 2>::of({{2, 0}, {1, 1}});

}  // namespace

TEST_CASE("indexing, slicing, joining, mutating operations") {
    CHECK(
        same(conj(mT(complex(x, y))),
             {{C(0.5, -1.5), C(3.75, -1)}, {C(-1.25, -2), C(0, 3)}, {C(2, 0.5), C(-2.5, -0.75)}}));
    CHECK(same(argwhere(x), {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 2}}));
    CHECK(same(concat<1>(x, y), {{0.5, -1.25, 2, 1.5, 2, -0.5}, {3.75, 0, -2.5, 1, -3, 0.75}}));
    auto const [x1, x2, x3] = split<1, 3>(x);
    CHECK(same(x1, {{0.5}, {3.75}}));
    CHECK(same(x2, {{-1.25}, {0}}));
    CHECK(same(x3, {{2}, {-2.5}}));
    CHECK(same(split<2, 3>(t)[1], {{{-4}, {-1}}, {{2}, {5}}}));
    CHECK(same(split<1, 3>(x)[1], {{-1.25}, {0}}));
    CHECK(same(split<0, 2>(x)[1], {{3.75, 0, -2.5}}));
    CHECK(same(slice(v, until(2)), {3, -1}));
    CHECK(same(slice(v, from(2)), {2}));
    CHECK(same(stack<1>(v, w), {{3, 0.5}, {-1, 4}, {2, -2}}));
    CHECK(same(stack<2>(x, y),
               {{{0.5, 1.5}, {-1.25, 2}, {2, -0.5}}, {{3.75, 1}, {0, -3}, {-2.5, 0.75}}}));
    CHECK(same(concat<0>(v, w), {3, -1, 2, 0.5, 4, -2}));
    CHECK(same(stack<0>(v, w), {{3, -1, 2}, {0.5, 4, -2}}));
    CHECK(same(x + scatter_add<1>(x.extents(), i, d), {{2.5, -1.25, 3}, {7.75, 0, 0.5}}));
    CHECK(same(put_along_axis<1>(x, broadcast_to(i, {2, 2}), d), {{2, -1.25, 1}, {4, 0, 3}}));
    CHECK(same(slice(x, all(), range(1, 1 + 2)), {{-1.25, 2}, {0, -2.5}}));
    CHECK(same(eval(slice(x, all(), range(1, 1 + 2))), {{-1.25, 2}, {0, -2.5}}));
    CHECK(same(reshape(x, {3, -1}), {{0.5, -1.25}, {2, 3.75}, {0, -2.5}}));
    CHECK(same(slice(x, all(), 1), {-1.25, 0}));
    CHECK(same(put_along_axis<1>(x, argsort<1>(x), y), {{2, 1.5, -0.5}, {0.75, -3, 1}}));
    Tensor<double, 2> c = a;
    diagonal(c) = v;
    CHECK(same(c, {{3, 1, 0}, {-1, -1, 1}, {0.5, 0, 2}}));
    c = a;
    slice(c, 1, all()) = w;
    CHECK(same(c, {{2, 1, 0}, {0.5, 4, -2}, {0.5, 0, 4}}));
    c = a;
    slice(c, all(), range(0, 2)) = b;
    CHECK(same(c, {{1, 2, 0}, {3, 4, 1}, {-1, 0.5, 4}}));
    CHECK(same(x + put_along_axis<1>(zeros_like(x), j, d), {{2.5, -1.25, 3}, {3.75, 7, -2.5}}));
    CHECK(same(squeeze<1>(expand_dims<1>(x)), {{0.5, -1.25, 2}, {3.75, 0, -2.5}}));
    CHECK(same(swapaxes<0, 2>(t), {{{-5, 1}, {-2, 4}}, {{-4, 2}, {-1, 5}}, {{-3, 3}, {0, 6}}}));
    CHECK(same(gather<0>(flatten(x), i), {2, 0.5}));
    auto const [t0, t1] = unstack<0, 2>(t);
    CHECK(same(t0, {{-5, -4, -3}, {-2, -1, 0}}));
    CHECK(same(t1, {{1, 2, 3}, {4, 5, 6}}));
    CHECK(same(n / 3, {2, -2, 2, 0}));
    CHECK(same(n % 3, {1, -1, 0, 1}));
}

TEST_CASE("other operations") {
    CHECK(same(expand_dims<0>(v), {{3, -1, 2}}));
    CHECK(same(bincount(i, 3), {1, 0, 1}));
    CHECK(same(scatter_add<0>({3}, i, slice(v, until(2))), {-1, 0, 3}));
    CHECK(same(pad(a, {{0, 3}, {0, 2}}) + pad(b, {{3, 0}, {3, 0}}), {{2, 1, 0, 0, 0},
                                                                     {-1, 3, 1, 0, 0},
                                                                     {0.5, 0, 4, 0, 0},
                                                                     {0, 0, 0, 1, 2},
                                                                     {0, 0, 0, 3, 4},
                                                                     {0, 0, 0, -1, 0.5}}));
    auto const both = (x + v).extents();
    CHECK(both == x.extents());
    auto const [vi, wi] = meshgrid<indexing::ij>(v, w);
    CHECK(
        same(stack<1>(flatten(vi), flatten(wi)),
             {{3, 0.5}, {3, 4}, {3, -2}, {-1, 0.5}, {-1, 4}, {-1, -2}, {2, 0.5}, {2, 4}, {2, -2}}));
    CHECK(same(norm<-1>(expand_dims<1>(x) - expand_dims<0>(y)),
               {{4.22048575, 2.20794022}, {3.61420807, 5.20816666}}));
    CHECK(same(eval(x), {{0.5, -1.25, 2}, {3.75, 0, -2.5}}));
    CHECK(same(reshape(gather<0>(v, flatten(argwhere(triu(ones<bool>({3, 3}), 1)))), {-1, 2}),
               {{3, -1}, {3, 2}, {-1, 2}}));
    CHECK(
        same(corrcoef(a),
             {{1, -0.5, -0.802955069}, {-0.5, 1, -0.114707867}, {-0.802955069, -0.114707867, 1}}));
    CHECK(same(cov(a), {{1, -1, -1.75}, {-1, 4, -0.5}, {-1.75, -0.5, 4.75}}));
    CHECK(same(cummax<1>(x), {{0.5, 0.5, 2}, {3.75, 3.75, 3.75}}));
    CHECK(same(cummin<1>(x), {{0.5, -1.25, -1.25}, {3.75, 0, -2.5}}));
    CHECK(same(cumprod<1>(x), {{0.5, -0.625, -1.25}, {3.75, 0, 0}}));
    CHECK(same(diag(v), {{3, 0, 0}, {0, -1, 0}, {0, 0, 2}}));
    CHECK(same(diagonal(a, 1), {1, 1}));
    CHECK(same(where(eye<bool>(3), expand_dims<1>(x), 0),
               {{{0.5, 0, 0}, {0, -1.25, 0}, {0, 0, 2}}, {{3.75, 0, 0}, {0, 0, 0}, {0, 0, -2.5}}}));
    CHECK(same(diag(flatten(d)), {{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}, {0, 0, 0, 4}}));
    CHECK(same(einsum<"ij,jk->ik">(a, b), {{5, 8}, {7, 10.5}, {-3.5, 3}}));
    CHECK(same(flatten(x), {0.5, -1.25, 2, 3.75, 0, -2.5}));
    CHECK(same(flip<0>(x), {{3.75, 0, -2.5}, {0.5, -1.25, 2}}));
    CHECK(same(kron(d, x), {{0.5, -1.25, 2, 1, -2.5, 4},
                            {3.75, 0, -2.5, 7.5, 0, -5},
                            {1.5, -3.75, 6, 2, -5, 8},
                            {11.25, 0, -7.5, 15, 0, -10}}));
    CHECK(same(flip<0>(transpose(x)), {{2, -2.5}, {-1.25, 0}, {0.5, 3.75}}));
    CHECK(same(map([](int e, int f) { return std::gcd(e, f); }, n, m), {1, 1, 2, 1}));
    CHECK(same(map([](int e, int f) { return std::lcm(e, f); }, n, m), {14, 14, 12, 3}));
    CHECK(same(histogram(x, 4, -3, 4).counts, {1, 2, 2, 1}));
    CHECK(same(histogram(x, 4, -3, 4).edges, {-3, -1.25, 0.5, 2.25, 4}));
    CHECK(
        same(logcumsumexp<1>(x), {{0.5, 0.66022415, 2.23262198}, {3.75, 3.77324546, 3.77512979}}));
    CHECK(same(x * minimum(1, 2 / (norm<1>(x, keepdims) + 1e-7)),
               {{0.414780661, -1.03695165, 1.65912264}, {1.66410055, 0, -1.10940037}}));
    CHECK(same(transpose(argwhere(tril(ones<bool>({3, 3})))),
               {{0, 1, 1, 2, 2, 2}, {0, 0, 1, 0, 1, 2}}));
    CHECK(same(transpose(argwhere(triu(ones<bool>({3, 3})))),
               {{0, 0, 0, 1, 1, 2}, {0, 1, 2, 1, 2, 2}}));
    CHECK(same(reshape(x, {2, 3, 1}), {{{0.5}, {-1.25}, {2}}, {{3.75}, {0}, {-2.5}}}));
    CHECK(same(pow(expand_dims<1>(v), arange(2, -1, -1)), {{9, 3, 1}, {1, -1, 1}, {4, 2, 1}}));
    CHECK(same(stack<-1>(real(z), imag(z)), {{1, 2}, {0, -1}, {-3, 0.5}}));
    CHECK(same(complex(slice(b, all(), 0), slice(b, all(), 1)), {C(1, 2), C(3, 4), C(-1, 0.5)}));
}
