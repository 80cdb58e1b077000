// SPDX-License-Identifier: BSD-3-Clause
//
// Every row of the table of elementwise functions, by every operand, beside central differences.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::error_of;
using test::tolerance;

namespace {
// Values away from where functions have corners: 0, 1, whole numbers.
Tensor<double, 2> values(double lo, double hi) {
    Tensor<double, 2> w({3, 5});
    w = lo + (hi - lo) * uniform<double>(w.extents(), 5);
    return w;
}
}  // namespace

// clang-format off
TEST_CASE("functions of one operand") {
    auto w = values(-2.1, 2.3);
    CHECK(error_of(w, [](auto x) { return -x; }) < tolerance);
    CHECK(error_of(w, [](auto x) { return exp(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return exp2(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return expm1(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return sigmoid(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return tanh(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return erf(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return erfc(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return gelu(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return softplus(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return silu(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return relu(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return abs(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return sin(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return cos(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return atan(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return sinh(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return cosh(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return asinh(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return elu(x, 0.7); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return leaky_relu(x, 0.2); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return clip(x, -1.05, 1.2); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return soft_threshold(x, 0.6); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return nan_to_num(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return cast<double>(x) * reciprocal(x); }) < 1e-5);
    auto near = values(-1.2, 1.2);
    CHECK(error_of(near, [](auto x) { return tan(x); }) < tolerance);
    auto inside = values(-0.9, 0.9);
    CHECK(error_of(inside, [](auto x) { return asin(x); }) < tolerance);
    CHECK(error_of(inside, [](auto x) { return acos(x); }) < tolerance);
    CHECK(error_of(inside, [](auto x) { return atanh(x); }) < tolerance);
    CHECK(error_of(inside, [](auto x) { return log1p(x); }) < tolerance);
    auto positive = values(1.1, 3.3);
    CHECK(error_of(positive, [](auto x) { return log(x); }) < tolerance);
    CHECK(error_of(positive, [](auto x) { return log2(x); }) < tolerance);
    CHECK(error_of(positive, [](auto x) { return log10(x); }) < tolerance);
    CHECK(error_of(positive, [](auto x) { return sqrt(x); }) < tolerance);
    CHECK(error_of(positive, [](auto x) { return rsqrt(x); }) < tolerance);
    CHECK(error_of(positive, [](auto x) { return cbrt(x); }) < tolerance);
    CHECK(error_of(positive, [](auto x) { return acosh(x); }) < tolerance);
}

TEST_CASE("functions of several operands, by each of them") {
    auto w = values(0.3, 2.2);
    auto const c = values(0.4, 1.9);
    CHECK(error_of(w, [&](auto x) { return x + c; }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return c - x; }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return x * c * x; }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return x / c + c / x; }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return pow(x, c) + pow(c, x); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return maximum(x, c) + minimum(c, x) * x; }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return atan2(x, c) + atan2(c, x); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return hypot(x, c) + hypot(c, x); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return copysign(x, c - 1); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return logaddexp(x, c) + logaddexp(c, x); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return lerp(x, c, 0.3) + lerp(c, x, 0.2) + lerp(c, c + 1, x); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return fmod(x * 3, c) + fmod(c * 3, x + 2); }) < 1e-5);
    CHECK(error_of(w, [&](auto x) { return remainder(x * 3, c); }) < 1e-5);
    CHECK(error_of(w, [&](auto x) { return where(c > 1, x, x * x); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return clip(c, x - 1, x + 0.1) + clip(c * 2, x - 1, x); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return soft_threshold(c, x * 0.4); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return elu(c - 1, x) + leaky_relu(c - 1, x); }) < tolerance);
}
// clang-format on

TEST_CASE("steps have none, and what is stopped has none") {
    auto w = values(-2.1, 2.3);
    auto const x = named<"w">(w);
    CHECK(error_of(w, [](auto y) { return y + floor(y) + ceil(y) + round(y) + trunc(y); }) <
          tolerance);
    CHECK(error_of(w, [](auto y) { return y * sign(y) + where(y > 0.1, y, 0); }) < tolerance);
    Tensor<double, 2> g = grad<"w">(sum(x * stop(x)));
    CHECK(all_close(g, w));
    Tensor<double, 2> const of_float = grad<"w">(sum(cast<double>(cast<float>(x)) * 3));
    CHECK(all_close(of_float, full(w.extents(), 3.0)));
}

TEST_CASE("NaN does not come through what was not chosen") {
    Tensor<double, 1> w = Tensor<double, 1>::of({-1, 0, 4});
    auto const x = named<"w">(w);
    Tensor<double, 1> const g = grad<"w">(sum(where(x > 1, sqrt(where(x > 1, x, 1)), 0)));
    CHECK((g(0) == 0 && g(1) == 0 && g(2) == 0.25));
    Tensor<double, 1> const p = grad<"w">(sum(pow(x, 2)));
    CHECK((p(0) == -2 && p(1) == 0 && p(2) == 8));
    Tensor<double, 1> const m = grad<"w">(sum(maximum(x, 0)));
    CHECK((m(0) == 0 && m(1) == 0.5 && m(2) == 1));
}

namespace {
struct cube {
    auto operator()(auto x) const { return x * x * x; }
    template <int>
    auto partial(auto, auto x) const {
        return 3 * x * x;
    }
};
}  // namespace

TEST_CASE("a functor of one's own brings its rule") {
    auto w = values(-1.1, 1.3);
    CHECK(error_of(w, [](auto x) { return map(cube{}, x) * x; }) < tolerance);
}
