// SPDX-License-Identifier: BSD-3-Clause
//
// Products, linear algebra and layers made of them: the lines of docs/13_from_numpy.md on PyTorch's
// that are not the Array API's too. The numbers are PyTorch's.
#include "tests/from_numpy/same.hpp"
#include <felt/linalg.hpp>
#include <felt/sorting.hpp>

using namespace felt;
using test::same, test::C;

namespace {

auto const x = Tensor<double, 2>::of({{0.5, -1.25, 2}, {3.75, 0, -2.5}});
auto const y = Tensor<double, 2>::of({{1.5, 2, -0.5}, {1, -3, 0.75}});
auto const v = Tensor<double, 1>::of({3, -1, 2});
auto const w = Tensor<double, 1>::of({0.5, 4, -2});
auto const z = Tensor<C, 1>::of({C(1, 2), C(0, -1), C(-3, 0.5)});
auto const a = Tensor<double, 2>::of({{2, 1, 0}, {-1, 3, 1}, {0.5, 0, 4}});
auto const s = Tensor<double, 2>::of({{4, 1, 0}, {1, 3, -1}, {0, -1, 2}});
auto const b = Tensor<double, 2>::of({{1, 2}, {3, 4}, {-1, 0.5}});
auto const d = Tensor<double, 2>::of({{1, 2}, {3, 4}});
Tensor<double, 3> const t = reshape(arange<double>(-5, 7), {2, 2, 3});
auto const i = Tensor<index_t, 1>::of({2, 0});
auto const j = Tensor<index_t, 2>::of({{2, 0}, {1, 1}});
Tensor<double, 3> const k3 = reshape((arange<double>(18) * 5 % 7 - 3) / 1, {2, 3, 3});

}  // namespace

TEST_CASE("blas and lapack operations") {
    CHECK(same(d + 2 * sum<0>(matmul(t, mT(t))), {{129, 94}, {95, 168}}));
    CHECK(same(0.5 * s + 2 * matmul(a, a), {{8, 10.5, 2}, {-8.5, 17.5, 13.5}, {6, 0.5, 33}}));
    CHECK(same(v + matmul(a, w), {8, 8.5, -5.75}));
    CHECK(same(a + outer(v, w), {{3.5, 13, -6}, {-1.5, -1, 3}, {1.5, 8, 0}}));
    CHECK(same(d + matmul(t, mT(t)), {{{51, 16}, {17, 9}}, {{15, 34}, {35, 81}}}));
    CHECK(same(matmul(t, mT(t)), {{{50, 14}, {14, 5}}, {{14, 32}, {32, 77}}}));
    CHECK(same(matmul(matmul(a, s), b), {{25, 37.5}, {21, 25.5}, {-16.5, -6}}));
    CHECK(same(inv(s), {{0.277777778, -0.111111111, -0.0555555556},
                        {-0.111111111, 0.444444444, 0.222222222},
                        {-0.0555555556, 0.222222222, 0.611111111}}));
    CHECK(same(solve(s, b), {{0, 0.0833333333}, {1, 1.66666667}, {0, 1.08333333}}));
    CHECK(same(dot(v, w), -6.5));
    CHECK(same(dot(conj(z), z), C(15.25, 0)));
    CHECK(same(inner(x, y), {{-2.75, 5.75}, {6.875, 1.875}}));
    CHECK(same(slogdet(a).logabsdet, 3.34990409));
    auto const [lambda, e] = eigh(s);
    CHECK(same(matmul(e * exp(lambda), mT(e)), {{77.469344, 44.5653684, -12.8184386},
                                                {44.5653684, 45.7224142, -18.9284912},
                                                {-12.8184386, -18.9284912, 13.9754844}}));
    CHECK(same(sum<1>(slice(x, all(), from(1)) + slice(x, all(), until(-1))) / 2, {0, 0.625}));
    CHECK(same(cumsum<1>(slice(x, all(), from(1)) + slice(x, all(), until(-1))) / 2,
               {{-0.375, 0}, {1.875, 0.625}}));
    CHECK(same(solve(triu(a), b),
               {{-0.0416666667, 0.354166667}, {1.08333333, 1.29166667}, {-0.25, 0.125}}));
}

TEST_CASE("torch.nn.functional: linear, sparse, distances") {
    CHECK(same(matmul(x, mT(a)) + v, {{2.75, -3.25, 10.25}, {10.5, -7.25, -6.125}}));
    CHECK(same(einsum<"noj,nj->no">(einsum<"ni,oij->noj">(x, k3), y),
               {{-20.375, 4}, {-57.5, 29.6875}}));
    CHECK(same(gather<0>(b, i), {{-1, 0.5}, {1, 2}}));
    CHECK(same(mean<1>(reshape(gather<0>(b, flatten(j)), {2, 2, -1})), {{0, 1.25}, {3, 4}}));
    CHECK(same(one_hot<index_t>(i, 3), {{0, 0, 1}, {1, 0, 0}}));
    CHECK(same(norm<1>(x - y + 1e-6), {4.22048534, 5.20816714}));
    CHECK(same(vecdot(x, y) / maximum(norm<1>(x) * norm<1>(y), 1e-8), {-0.447398509, 0.128007738}));
    CHECK(same(
        masked_select(norm<-1>(expand_dims<1>(b) - expand_dims<0>(b)), triu(ones<bool>({3, 3}), 1)),
        {2.82842712, 2.5, 5.31507291}));
    CHECK(same(matmul(softmax<-1>(matmul(t, mT(t)) / std::sqrt(3.)), t),
               {{{-5, -4, -3}, {-4.983478, -3.983478, -2.983478}},
                {{3.999908, 4.999908, 5.999908}, {4, 5, 6}}}));
}
