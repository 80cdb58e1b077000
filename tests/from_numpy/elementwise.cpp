// SPDX-License-Identifier: BSD-3-Clause
//
// Elementwise functions. Each line of docs/13_from_numpy.md on them; the numbers are NumPy's.
#include "tests/from_numpy/same.hpp"

using namespace felt;
using test::same, test::C, test::inf, test::NaN;

namespace {

auto const x = Tensor<double, 2>::of({{0.5, -1.25, 2}, {3.75, 0, -2.5}});
auto const y = Tensor<double, 2>::of({{1.5, 2, -0.5}, {1, -3, 0.75}});
auto const n = Tensor<int, 1>::of({7, -7, 6, 1});
auto const m = Tensor<int, 1>::of({2, 2, -4, 3});
auto const p = Tensor<bool, 1>::of({true, false, true});
auto const q = Tensor<bool, 1>::of({true, true, false});
auto const z = Tensor<C, 1>::of({C(1, 2), C(0, -1), C(-3, 0.5)});

}  // namespace

TEST_CASE("elementwise functions") {
    CHECK(same(abs(x), {{0.5, 1.25, 2}, {3.75, 0, 2.5}}));
    CHECK(same(acos(x), {{1.04719755, NaN, NaN}, {NaN, 1.57079633, NaN}}));
    CHECK(same(acosh(x), {{NaN, NaN, 1.3169579}, {1.99663152, NaN, NaN}}));
    CHECK(same(x + y, {{2, 0.75, 1.5}, {4.75, -3, -1.75}}));
    CHECK(same(asin(x), {{0.523598776, NaN, NaN}, {NaN, 0, NaN}}));
    CHECK(same(asinh(x), {{0.481211825, -1.04759301, 1.44363548}, {2.03222462, 0, -1.64723115}}));
    CHECK(same(atan(x), {{0.463647609, -0.896055385, 1.10714872}, {1.31019394, 0, -1.19028995}}));
    CHECK(same(atan2(x, y),
               {{0.321750554, -0.558599315, 1.81577499}, {1.31019394, 3.14159265, -1.27933953}}));
    CHECK(same(atanh(x), {{0.549306144, NaN, NaN}, {NaN, 0, NaN}}));
    CHECK(same(n & m, {2, 0, 4, 1}));
    CHECK(same(n << 2, {28, -28, 24, 4}));
    CHECK(same(~n, {-8, 6, -7, -2}));
    CHECK(same(n | m, {7, -5, -2, 3}));
    CHECK(same(n >> 1, {3, -4, 3, 0}));
    CHECK(same(n ^ m, {5, -5, -6, 2}));
    CHECK(same(ceil(x), {{1, -1, 2}, {4, 0, -2}}));
    CHECK(same(clip(x, -1, 1), {{0.5, -1, 1}, {1, 0, -1}}));
    CHECK(same(maximum(x, -1), {{0.5, -1, 2}, {3.75, 0, -1}}));
    CHECK(same(minimum(x, y), {{0.5, -1.25, -0.5}, {1, -3, -2.5}}));
    CHECK(same(conj(z), {C(1, -2), C(0, 1), C(-3, -0.5)}));
    CHECK(same(copysign(x, y), {{0.5, 1.25, -2}, {3.75, 0, 2.5}}));
    CHECK(
        same(cos(x), {{0.877582562, 0.315322362, -0.416146837}, {-0.820559357, 1, -0.801143616}}));
    CHECK(same(cosh(x), {{1.12762597, 1.88842388, 3.76219569}, {21.2722999, 1, 6.13228948}}));
    CHECK(same(x / y, {{0.333333333, -0.625, -4}, {3.75, 0, -3.33333333}}));
    CHECK(same(n / 2., {3.5, -3.5, 3, 0.5}));
    CHECK(same(x == y, {{0, 0, 0}, {0, 0, 0}}));
    CHECK(same(exp(x), {{1.64872127, 0.286504797, 7.3890561}, {42.521082, 1, 0.0820849986}}));
    CHECK(same(expm1(x), {{0.648721271, -0.713495203, 6.3890561}, {41.521082, 0, -0.917915001}}));
    CHECK(same(floor(x), {{0, -2, 2}, {3, 0, -3}}));
    CHECK(same(floor_divide(x, y), {{0, -1, -4}, {3, 0, -4}}));
    CHECK(same(floor_divide(n, m), {3, -4, -2, 0}));
    CHECK(same(x > y, {{0, 0, 1}, {1, 1, 0}}));
    CHECK(same(x >= y, {{0, 0, 1}, {1, 1, 0}}));
    CHECK(same(hypot(x, y), {{1.58113883, 2.35849528, 2.06155281}, {3.88104367, 3, 2.61007663}}));
    CHECK(same(imag(z), {2, -1, 0.5}));
    CHECK(same(isfinite(log(x)), {{1, 0, 1}, {1, 0, 0}}));
    CHECK(same(isinf(log(x)), {{0, 0, 0}, {0, 1, 0}}));
    CHECK(same(isnan(log(x)), {{0, 1, 0}, {0, 0, 1}}));
    CHECK(same(x < y, {{1, 1, 0}, {0, 0, 1}}));
    CHECK(same(x <= y, {{1, 1, 0}, {0, 0, 1}}));
    CHECK(same(log(x), {{-0.693147181, NaN, 0.693147181}, {1.32175584, -inf, NaN}}));
    CHECK(same(log1p(x), {{0.405465108, NaN, 1.09861229}, {1.55814462, 0, NaN}}));
    CHECK(same(log2(x), {{-1, NaN, 1}, {1.9068906, -inf, NaN}}));
    CHECK(same(log10(x), {{-0.301029996, NaN, 0.301029996}, {0.574031268, -inf, NaN}}));
    CHECK(same(logaddexp(x, y),
               {{1.81326169, 2.03804137, 2.07888973}, {3.81196759, 0.0485873516, 0.788041372}}));
    CHECK(same(p && q, {1, 0, 0}));
    CHECK(same(!p, {0, 1, 0}));
    CHECK(same(p || q, {1, 1, 1}));
    CHECK(same(logical_xor(p, q), {0, 1, 1}));
    CHECK(same(maximum(x, y), {{1.5, 2, 2}, {3.75, 0, 0.75}}));
    CHECK(same(minimum(x, y), {{0.5, -1.25, -0.5}, {1, -3, -2.5}}));
    CHECK(same(x * y, {{0.75, -2.5, -1}, {3.75, 0, -1.875}}));
    CHECK(same(-x, {{-0.5, 1.25, -2}, {-3.75, 0, 2.5}}));
    CHECK(same(nextafter(x, y), {{0.5, -1.25, 2}, {3.75, 0, -2.5}}));
    CHECK(same(sign(nextafter(x, y) - x), {{1, 1, -1}, {-1, -1, 1}}));
    CHECK(same(x != y, {{1, 1, 1}, {1, 1, 1}}));
    CHECK(same(x, {{0.5, -1.25, 2}, {3.75, 0, -2.5}}));
    CHECK(same(pow(x, y), {{0.353553391, 1.5625, 0.707106781}, {3.75, inf, NaN}}));
    CHECK(same(real(z), {1, 0, -3}));
    CHECK(same(reciprocal(x), {{2, -0.8, 0.5}, {0.266666667, inf, -0.4}}));
    CHECK(same(remainder(x, y), {{0.5, 0.75, 0}, {0.75, 0, 0.5}}));
    CHECK(same(remainder(n, m), {1, 1, -2, 1}));
    CHECK(same(round(x), {{0, -1, 2}, {4, 0, -2}}));
    CHECK(same(sign(x), {{1, -1, 1}, {1, 0, -1}}));
    CHECK(same(signbit(x), {{0, 1, 0}, {0, 0, 1}}));
    CHECK(
        same(sin(x), {{0.479425539, -0.948984619, 0.909297427}, {-0.571561319, 0, -0.598472144}}));
    CHECK(same(sinh(x), {{0.521095305, -1.60191908, 3.62686041}, {21.2487821, 0, -6.05020448}}));
    CHECK(same(sqrt(x), {{0.707106781, NaN, 1.41421356}, {1.93649167, 0, NaN}}));
    CHECK(same(square(x), {{0.25, 1.5625, 4}, {14.0625, 0, 6.25}}));
    CHECK(same(tan(x), {{0.54630249, -3.00956967, -2.18503986}, {0.696550851, 0, 0.747022297}}));
    CHECK(same(tanh(x), {{0.462117157, -0.84828364, 0.96402758}, {0.998894443, 0, -0.986614298}}));
    CHECK(same(x - y, {{-1, -3.25, 2.5}, {2.75, 3, -3.25}}));
    CHECK(same(trunc(x), {{0, -1, 2}, {3, 0, -2}}));
}
