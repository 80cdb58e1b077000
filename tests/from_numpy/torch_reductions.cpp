// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions and windows of signals: the lines of docs/13_from_numpy.md on PyTorch's that are not
// the Array API's too. The numbers are PyTorch's.
#include "tests/from_numpy/same.hpp"
#include <felt/fft.hpp>
#include <felt/sorting.hpp>
#include <numbers>

using namespace felt;
using test::same, test::C, test::NaN;

namespace {

auto const x = Tensor<double, 2>::of({{0.5, -1.25, 2}, {3.75, 0, -2.5}});
auto const y = Tensor<double, 2>::of({{1.5, 2, -0.5}, {1, -3, 0.75}});
auto const r = Tensor<double, 1>::of({3, 1, 3, 2, 1});
auto const f = Tensor<double, 1>::of({2, NaN, 3, -1});
Tensor<double, 1> const signal = reshape((arange<double>(8) * 3 % 5 - 2) / 1, {8});

}  // namespace

TEST_CASE("reduction operations") {
    CHECK(same(argmin<1>(x), {1, 2}));
    CHECK(same(max<1>(x), {2, 3.75}));
    CHECK(same(min<1>(x), {-1.25, -2.5}));
    Tensor<double, 1> low({2}), high({2});
    fuse(assign(low, min<1>(x)), assign(high, max<1>(x)));
    CHECK(same(low, {-1.25, -2.5}));
    CHECK(same(high, {2, 3.75}));
    CHECK(same(all<1>(x), {1, 0}));
    CHECK(same(any<1>(x), {1, 1}));
    CHECK(same(norm(x - y), 6.70354384));
    CHECK(same(norm(x - y, 3), 5.10546799));
    CHECK(same(logsumexp<1>(x), {2.23262198, 3.77512979}));
    CHECK(same(nanmean(f), 1.33333333));
    CHECK(same(slice(sort<0>(x), (x.extent(0) - 1) / 2, all()), {0.5, -1.25, -2.5}));
    CHECK(same(median(masked_select(f, !isnan(f))), 2));
    auto const [value, count] = unique_counts(r);
    CHECK(same(value(index_t(argmax(count))), 1));
    CHECK(same(nansum(f), 4));
    CHECK(same(quantile<1>(x, 0.25), {-0.375, -1.25}));
    CHECK(same(quantile(masked_select(f, !isnan(f)), 0.25), 0.5));
    fuse(assign(low, stddev<1>(x, {.ddof = 1})), assign(high, mean<1>(x)));
    CHECK(same(low, {1.62660177, 3.14576435}));
    CHECK(same(high, {0.416666667, 0.416666667}));
    CHECK(same(sum<1>(x), {1.25, 1.25}));
    CHECK(
        same(masked_select(r, concat<0>(full({1}, true), slice(r, from(1)) != slice(r, until(-1)))),
             {3, 1, 3, 2, 1}));
    CHECK(same(var<1>(x, {.ddof = 1}), {2.64583333, 9.89583333}));
    fuse(assign(low, var<1>(x, {.ddof = 1})), assign(high, mean<1>(x)));
    CHECK(same(low, {2.64583333, 9.89583333}));
}

TEST_CASE("spectral operations") {
    CHECK(same(
        transpose(rfft(squeeze<0, 2>(windows(expand_dims<0>(signal), {1, 4}, {.stride = {1, 2}})))),
        {{C(0, 0), C(-1, 0), C(-2, 0)},
         {C(-1, 1), C(-1, -4), C(-1, 1)},
         {C(-6, 0), C(-1, 0), C(4, 0)}}));
    CHECK(same(1 - abs(arange<double>(8) / 4 - 1), {0, 0.25, 0.5, 0.75, 1, 0.75, 0.5, 0.25}));
    CHECK(same(0.42 - 0.5 * cos(std::numbers::pi / 4 * arange<double>(8)) +
                   0.08 * cos(std::numbers::pi / 2 * arange<double>(8)),
               {0, 0.0664466094, 0.34, 0.773553391, 1, 0.773553391, 0.34, 0.0664466094}));
    CHECK(same(0.54 - 0.46 * cos(std::numbers::pi / 4 * arange<double>(8)),
               {0.08, 0.214730881, 0.54, 0.865269119, 1, 0.865269119, 0.54, 0.214730881}));
    CHECK(same(square(sin(std::numbers::pi / 8 * arange<double>(8))),
               {0, 0.146446609, 0.5, 0.853553391, 1, 0.853553391, 0.5, 0.146446609}));
    CHECK(same(map([](double e) { return std::cyl_bessel_i(0, e) / std::cyl_bessel_i(0, 12.); },
                   12 * sqrt(1 - square(arange<double>(8) / 4 - 1))),
               {5.27734413e-05, 0.0212783766, 0.215672745, 0.694516009, 1, 0.694516009, 0.215672745,
                0.0212783766}));
}
