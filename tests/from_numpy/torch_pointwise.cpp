// SPDX-License-Identifier: BSD-3-Clause
//
// Pointwise operations and comparisons: the lines of docs/13_from_numpy.md on PyTorch's that are
// not the Array API's too. The numbers are PyTorch's.
#include "tests/from_numpy/same.hpp"
#include <felt/sorting.hpp>
#include <numbers>

using namespace felt;
using test::same, test::C, test::NaN, test::inf;

namespace {

auto const x = Tensor<double, 2>::of({{0.5, -1.25, 2}, {3.75, 0, -2.5}});
auto const y = Tensor<double, 2>::of({{1.5, 2, -0.5}, {1, -3, 0.75}});
auto const v = Tensor<double, 1>::of({3, -1, 2});
auto const u = Tensor<double, 1>::of({0.25, 0.5, 0.75});
auto const n = Tensor<int, 1>::of({7, -7, 6, 1});
auto const m = Tensor<int, 1>::of({2, 2, -4, 3});
auto const z = Tensor<C, 1>::of({C(1, 2), C(0, -1), C(-3, 0.5)});
auto const r = Tensor<double, 1>::of({3, 1, 3, 2, 1});
auto const l = Tensor<double, 1>::of({NaN, inf, -inf, 1, 1, inf, 2});
auto const h = Tensor<double, 1>::of({2, NaN, 3, -1, inf, inf, 2.000001});

}  // namespace

TEST_CASE("pointwise operations") {
    CHECK(same(x + 2 * y, {{3.5, 2.75, 1}, {5.75, -6, -1}}));
    CHECK(same(x + 0.5 * y / v, {{0.75, -2.25, 1.875}, {3.91666667, 1.5, -2.3125}}));
    CHECK(same(x + 0.5 * y * v, {{2.75, -2.25, 1.5}, {5.25, 1.5, -1.75}}));
    CHECK(same(angle(z), {1.10714872, -1.57079633, 2.97644398}));
    CHECK(same(eval(conj(z)), {C(1, -2), C(0, 1), C(-3, -0.5)}));
    CHECK(same(x * (std::numbers::pi / 180),
               {{0.00872664626, -0.0218166156, 0.034906585}, {0.0654498469, 0, -0.0436332313}}));
    CHECK(same(trunc(x / y), {{0, 0, -4}, {3, 0, -3}}));
    CHECK(same(erf(x), {{0.520499878, -0.922900128, 0.995322265}, {0.999999886, 0, -0.999593048}}));
    CHECK(
        same(erfc(x), {{0.479500122, 1.92290013, 0.00467773498}, {1.13727257e-07, 1, 1.99959305}}));
    CHECK(same(exp2(x), {{1.41421356, 0.420448208, 4}, {13.4543426, 1, 0.176776695}}));
    CHECK(same((clip(round(x / 0.25 + 10), 0, 20) - 10) * 0.25, {{0.5, -1.25, 2}, {2.5, 0, -2.5}}));
    CHECK(same(clip(round(x / u), -3, 3) * u, {{0.5, -1, 2.25}, {0.75, 0, -2.25}}));
    CHECK(same(pow(n, m), {49, 49, 0.000771604938, 1}));
    CHECK(same(fmod(x, y), {{0.5, -1.25, 0}, {0.75, 0, -0.25}}));
    CHECK(same(n % m, {1, -1, 2, 1}));
    CHECK(same(x - trunc(x), {{0.5, -0.25, 0}, {0.75, 0, -0.5}}));
    CHECK(same(map(
                   [](double e) {
                       int i;
                       return std::frexp(e, &i);
                   },
                   x),
               {{0.5, -0.625, 0.5}, {0.9375, 0, -0.625}}));
    CHECK(same(map(
                   [](double e) {
                       int i;
                       return std::frexp(e, &i), i;
                   },
                   x),
               {{0, 1, 2}, {2, 0, 2}}));
    Tensor<double, 1> const steps = diff(r);
    CHECK(same(
        concat<0>(slice(steps, until(1)), (slice(steps, from(1)) + slice(steps, until(-1))) / 2,
                  slice(steps, from(-1))),
        {-2, 0, 0.5, -1, -1}));
    CHECK(same(x * exp2(v), {{4, -0.625, 8}, {30, 0, -10}}));
    CHECK(same(lerp(x, y, 0.25), {{0.75, -0.4375, 1.375}, {3.0625, -0.75, -1.6875}}));
    CHECK(same(map([](double e) { return std::lgamma(e); }, u),
               {1.28802252, 0.572364943, 0.203280951}));
    CHECK(same(logaddexp(x * std::numbers::ln2, y * std::numbers::ln2) / std::numbers::ln2,
               {{2.0849625, 2.14419266, 2.23484058}, {3.94994038, 0.169925001, 0.894192658}}));
    CHECK(same(log(u / (1 - u)), {-1.09861229, 0, 1.09861229}));
    CHECK(same(map([](double e) { return std::cyl_bessel_i(0, std::abs(e)); }, x),
               {{1.06348337, 1.43046872, 2.2795853}, {9.11894586, 1, 3.28983914}}));
    CHECK(same(nan_to_num(l), {0, 1.79769313e+308, -1.79769313e+308, 1, 1, 1.79769313e+308, 2}));
    CHECK(same(nan_to_num(l, 0, 7, -7), {0, 7, -7, 1, 1, 7, 2}));
    CHECK(same(x * (180 / std::numbers::pi),
               {{28.6478898, -71.6197244, 114.591559}, {214.859173, 0, -143.239449}}));
    CHECK(same(round(10 * x) / 10, {{0.5, -1.2, 2}, {3.8, 0, -2.5}}));
    CHECK(same(rsqrt(x), {{1.41421356, NaN, 0.707106781}, {0.516397779, inf, NaN}}));
    CHECK(
        same(sigmoid(x), {{0.622459331, 0.222700139, 0.880797078}, {0.97702263, 0.5, 0.07585818}}));
    CHECK(same(where(z == 0, 0, z / abs(z)),
               {C(0.447213595, 0.894427191), C(0, -1), C(-0.986393924, 0.164398987)}));
    CHECK(same(where(x == 0, 1, sin(std::numbers::pi * x) / (std::numbers::pi * x)),
               {{0.636619772, -0.180063263, -3.89817183e-17}, {-0.0600210877, 1, 0.127323954}}));
    CHECK(same(softmax<1>(x), {{0.176820182, 0.0307267403, 0.792453078},
                               {0.975183339, 0.0229341139, 0.00188254671}}));
    CHECK(same(x - 2 * y, {{-2.5, -5.25, 3}, {1.75, 6, -4}}));
    CHECK(same(where(x == 0 && !isnan(y), 0, x * log(y)),
               {{0.202732554, -0.866433976, NaN}, {0, 0, 0.719205181}}));
}

TEST_CASE("comparison operations") {
    CHECK(same(all_close(x, y), 0));
    CHECK(same(bool(all(x == y)), 0));
    CHECK(
        same(l == h || (abs(l - h) <= 1e-8 + 1e-5 * abs(h) && isfinite(h)), {0, 0, 0, 0, 0, 1, 1}));
    CHECK(same(isfinite(l), {0, 0, 0, 1, 1, 0, 1}));
    CHECK(same(isinf(l), {0, 1, 1, 0, 0, 1, 0}));
    CHECK(same(isnan(l), {1, 0, 0, 0, 0, 0, 0}));
    CHECK(same(isin(x, v), {{0, 0, 1}, {0, 0, 0}}));
    CHECK(same(l == inf, {0, 1, 0, 0, 0, 1, 0}));
    CHECK(same(l == -inf, {0, 0, 1, 0, 0, 0, 0}));
    CHECK(same(imag(z) == 0, {0, 0, 0}));
    CHECK(same(slice(sort<1>(x), all(), 1), {0.5, 0}));
    CHECK(same(slice(argsort<1>(x), all(), 1), {0, 1}));
    CHECK(same(where(isnan(l) || l < h, h, l), {2, inf, 3, 1, inf, inf, 2.000001}));
    CHECK(same(where(isnan(l) || l > h, h, l), {2, inf, -inf, -1, 1, inf, 2}));
    CHECK(same(l != l, {1, 0, 0, 0, 0, 0, 0}));
    CHECK(same(sort<1>(x), {{-1.25, 0.5, 2}, {-2.5, 0, 3.75}}));
    auto const [largest, places] = topk<1>(x, 2);
    CHECK(same(largest, {{2, 0.5}, {3.75, 0}}));
    CHECK(same(places, {{2, 0}, {0, 1}}));
}
