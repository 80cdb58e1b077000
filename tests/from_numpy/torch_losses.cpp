// SPDX-License-Identifier: BSD-3-Clause
//
// Losses: the lines of docs/13_from_numpy.md on PyTorch's that are not the Array API's too. The
// numbers are PyTorch's.
#include "tests/from_numpy/same.hpp"

using namespace felt;
using test::same;

namespace {

auto const x = Tensor<double, 2>::of({{0.5, -1.25, 2}, {3.75, 0, -2.5}});
auto const y = Tensor<double, 2>::of({{1.5, 2, -0.5}, {1, -3, 0.75}});
auto const v = Tensor<double, 1>::of({3, -1, 2});
auto const w = Tensor<double, 1>::of({0.5, 4, -2});
auto const u = Tensor<double, 1>::of({0.25, 0.5, 0.75});
auto const p = Tensor<bool, 1>::of({true, false, true});
auto const a = Tensor<double, 2>::of({{2, 1, 0}, {-1, 3, 1}, {0.5, 0, 4}});
auto const i = Tensor<index_t, 1>::of({2, 0});
auto const k = Tensor<int, 1>::of({1, -1, 1});
auto const g = Tensor<int, 1>::of({1, -1});

}  // namespace

TEST_CASE("torch.nn.functional: losses") {
    CHECK(same(-mean(where(p, log(u), log(1 - u))), 0.789041205));
    CHECK(same(mean(softplus(v) - v * p), 0.162925683));
    CHECK(same(mean(exp(x) - x * y), 8.96707486));
    Tensor<double, 1> const cosine = vecdot(x, y) / (norm<1>(x) * norm<1>(y));
    CHECK(same(mean(where(g == 1, 1 - cosine, maximum(cosine - 0.5, 0))), 0.723699255));
    CHECK(same(-mean(take_along_axis<1>(log_softmax<1>(x), expand_dims<1>(i))), 0.128875884));
    CHECK(same(mean(logsumexp<1>(x) - sum<1>(x * one_hot<double>(i, 3))), 0.128875884));
    CHECK(same(cross_entropy(x, i), 0.128875884));
    CHECK(same(mean(log(maximum(u, 1e-6)) + square(v - w) / maximum(u, 1e-6)) / 2, 15.661035));
    CHECK(same(mean(where(k == 1, v, maximum(1 - v, 0))), 2.33333333));
    CHECK(same(mean(u * (log(u) - v)), -0.886302912));
    CHECK(same(sum(u * (log(u) - v)) / 3, -0.886302912));
    CHECK(same(mean(abs(x - y)), 2.625));
    CHECK(same(-mean(take_along_axis<1>(log_softmax<1>(matmul(x, mT(a))), expand_dims<1>(i))),
               0.000116104791));
    CHECK(same(mean(square(x - y)), 7.48958333));
    CHECK(same(mean(maximum(0.5 - k * (v - w), 0)), 0));
    CHECK(same(mean(softplus(x) - x * p), 0.691369409));
    CHECK(same(mean(sum<1>(maximum(1 - take_along_axis<1>(x, expand_dims<1>(i)) + x, 0)) - 1) / 3,
               0));
    CHECK(same(-mean(take_along_axis<1>(x, expand_dims<1>(i))), -2.875));
    CHECK(same(mean(where(abs(x - y) < 2, square(x - y) / 2, 2 * (abs(x - y) - 1))), 3.33333333));
    CHECK(same(mean(where(abs(x - y) < 1, square(x - y) / 2, abs(x - y) - 0.5)), 2.125));
    CHECK(same(mean(softplus(-k * v)), 0.162925683));
    CHECK(same(mean(maximum(norm<1>(x - y + 1e-6) - norm<1>(x - v + 1e-6) + 1, 0)), 2.12289992));
}
