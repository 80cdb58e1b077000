// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/functions.hpp>
#include <felt/expr/views/slice.hpp>
#include <limits>
#include <vector>

using felt::Tensor;
using test::computed;
using test::infinity;
using test::near;
using test::not_a_number;
using test::numbered;
using test::plain;
using test::values;

namespace {

constexpr felt::index_t n = 37;  // some whole batches and a rest, for every type
auto const x = numbered<Tensor<float, 1>>({n});
auto const y = numbered<Tensor<float, 1>>({n}, 5);

// e against f of the elements of x and y.
template <class E, class F>
void agrees(E const& e, F f) {
    auto const a = values(x), b = values(y);
    CHECK(values(e) == near(computed({n}, [&](auto at) { return f(a(at[0]), b(at[0])); }), 1e-6));
}

}  // namespace

TEST_CASE("operators work element by element") {
    agrees(x + y, [](double a, double b) { return a + b; });
    agrees(x - y, [](double a, double b) { return a - b; });
    agrees(x * y, [](double a, double b) { return a * b; });
    agrees(x / (y * y + 1), [](double a, double b) { return a / (b * b + 1); });
    agrees(-x, [](double a, double) { return -a; });
}

TEST_CASE("comparisons and logic give bool") {
    agrees(x < y, [](double a, double b) { return a < b; });
    agrees(x <= y, [](double a, double b) { return a <= b; });
    agrees(x > y, [](double a, double b) { return a > b; });
    agrees(x >= y, [](double a, double b) { return a >= b; });
    agrees(x == 2.5, [](double a, double) { return a == 2.5; });
    agrees(x != 2.5, [](double a, double) { return a != 2.5; });
    agrees(x > 0 && y > 0, [](double a, double b) { return a > 0 && b > 0; });
    agrees(x > 0 || y > 0, [](double a, double b) { return a > 0 || b > 0; });
    agrees(!(x > 0), [](double a, double) { return !(a > 0); });
}

TEST_CASE_TEMPLATE("NaN is unequal to every number and to itself, in whatever lane", T, float,
                   double) {
    T const q = std::numeric_limits<T>::quiet_NaN();
    std::vector<T> a(n), b(n);
    auto const u = felt::view(a.data(), {n}), v = felt::view(b.data(), {n});
    auto const differ = [&](auto const& f) {
        Tensor<bool, 1> const each = f(u, v), with_last = f(u, b[n - 1]), alone = f(u, q);
        Tensor<bool, 2> const all = f(expand_dims<1>(u), v);
        int bad = 0;
        for (felt::index_t i = 0; i < n; ++i) {
            auto const k = static_cast<std::size_t>(i);
            bad += each(i) != f(a[k], b[k]);
            bad += with_last(i) != f(a[k], b[n - 1]);
            bad += alone(i) != f(a[k], q);
            for (felt::index_t j = 0; j < n; ++j)
                bad += all(i, j) != f(a[k], b[static_cast<std::size_t>(j)]);
        }
        return bad;
    };
    for (std::size_t p = 0; p < a.size(); ++p) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = b[i] = T(i % 5);
        a[p] = b[p] = b[p * 7 % a.size()] = q;
        CHECK(differ([](auto const& l, auto const& r) { return l < r; }) == 0);
        CHECK(differ([](auto const& l, auto const& r) { return l <= r; }) == 0);
        CHECK(differ([](auto const& l, auto const& r) { return l > r; }) == 0);
        CHECK(differ([](auto const& l, auto const& r) { return l >= r; }) == 0);
        CHECK(differ([](auto const& l, auto const& r) { return l == r; }) == 0);
        CHECK(differ([](auto const& l, auto const& r) { return l != r; }) == 0);
    }
    a[3] = q;
    auto const unequal = [](auto l, auto r) { return l != r; };
    Tensor<bool, 1> const mapped = felt::map(unequal, u, u), row = u != u;
    CHECK(values(mapped) == values(row));
    CHECK(mapped(3));
    CHECK(values(where(u != u, 1, 0)) == values(mapped));
    CHECK(values(!(u < v) && !(u >= v)) == values(u != u || v != v));
}

TEST_CASE("functions of real numbers") {
    agrees(exp(x), [](double a, double) { return std::exp(a); });
    agrees(log(abs(x) + 1), [](double a, double) { return std::log(std::abs(a) + 1); });
    agrees(log1p(square(x)), [](double a, double) { return std::log1p(a * a); });
    agrees(sqrt(abs(x)), [](double a, double) { return std::sqrt(std::abs(a)); });
    agrees(tanh(x), [](double a, double) { return std::tanh(a); });
    agrees(sigmoid(x), [](double a, double) { return 1 / (1 + std::exp(-a)); });
    agrees(erf(x), [](double a, double) { return std::erf(a); });
    agrees(erfc(x / 4), [](double a, double) { return std::erfc(a / 4); });
    agrees(gelu(x), [](double a, double) { return a / 2 * (1 + std::erf(a * std::sqrt(0.5))); });
    agrees(pow(abs(x), y), [](double a, double b) { return std::pow(std::abs(a), b); });
}

TEST_CASE("circular and hyperbolic functions and their inverses") {
    agrees(sin(x), [](double a, double) { return std::sin(a); });
    agrees(cos(x), [](double a, double) { return std::cos(a); });
    agrees(tan(x), [](double a, double) { return std::tan(a); });
    agrees(asin(x / 50), [](double a, double) { return std::asin(a / 50); });
    agrees(acos(x / 50), [](double a, double) { return std::acos(a / 50); });
    agrees(atan(x), [](double a, double) { return std::atan(a); });
    agrees(atan2(x, y), [](double a, double b) { return std::atan2(a, b); });
    agrees(sinh(x / 4), [](double a, double) { return std::sinh(a / 4); });
    agrees(cosh(x / 4), [](double a, double) { return std::cosh(a / 4); });
    agrees(asinh(x), [](double a, double) { return std::asinh(a); });
    agrees(acosh(abs(x) + 1), [](double a, double) { return std::acosh(std::abs(a) + 1); });
    agrees(atanh(x / 50), [](double a, double) { return std::atanh(a / 50); });
}

TEST_CASE("powers, logarithms and roots") {
    agrees(exp2(x), [](double a, double) { return std::exp2(a); });
    agrees(expm1(x / 4), [](double a, double) { return std::expm1(a / 4); });
    agrees(log2(abs(x) + 1), [](double a, double) { return std::log2(std::abs(a) + 1); });
    agrees(log10(abs(x) + 1), [](double a, double) { return std::log10(std::abs(a) + 1); });
    agrees(cbrt(x), [](double a, double) { return std::cbrt(a); });
    agrees(rsqrt(x * x + 1), [](double a, double) { return 1 / std::sqrt(a * a + 1); });
    agrees(reciprocal(x * x + 1), [](double a, double) { return 1 / (a * a + 1); });
    agrees(hypot(x, y), [](double a, double b) { return std::hypot(a, b); });
    agrees(logaddexp(x, y), [](double a, double b) {
        return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
    });
}

TEST_CASE("activations") {
    auto const log_of_sum = [](double a, double) {
        return std::max(a, 0.0) + std::log1p(std::exp(-std::abs(a)));
    };
    agrees(softplus(x), log_of_sum);
    agrees(silu(x), [](double a, double) { return a / (1 + std::exp(-a)); });
    agrees(elu(x), [](double a, double) { return a > 0 ? a : std::expm1(a); });
    agrees(elu(x, 0.5), [](double a, double) { return a > 0 ? a : 0.5 * std::expm1(a); });
    agrees(leaky_relu(x, 0.25), [](double a, double) { return a > 0 ? a : 0.25 * a; });
    agrees(leaky_relu(x), [](double a, double) { return a > 0 ? a : 0.01 * a; });
    agrees(leaky_relu(x, y), [](double a, double b) { return a > 0 ? a : b * a; });
}

TEST_CASE("remainders by the sign of a, and by the sign of b") {
    auto const floored = [](double a, double b) { return a - std::floor(a / b) * b; };
    agrees(x % 2.5, [](double a, double) { return std::fmod(a, 2.5); });
    agrees(fmod(x, y * y + 1), [](double a, double b) { return std::fmod(a, b * b + 1); });
    agrees(remainder(x, y * y + 1), [&](double a, double b) { return floored(a, b * b + 1); });
    agrees(remainder(x, -2), [&](double a, double) { return floored(a, -2); });
    agrees(floor_divide(x, 2), [](double a, double) { return std::floor(a / 2); });
    auto const i = Tensor<int, 1>::of({-7, 7, 5, 0}), j = Tensor<int, 1>::of({2, -2, 0, 3});
    CHECK(values(i % j) == plain{{4}, {-1, 1, 0, 0}});
    CHECK(values((i / j) * j + i % j) == plain{{4}, {-7, 7, 0, 0}});
    CHECK(values(remainder(i, j)) == plain{{4}, {1, -1, 0, 0}});
    CHECK(values(floor_divide(i, j)) == plain{{4}, {-4, -4, 0, 0}});
    CHECK(values(20 % j) == plain{{4}, {0, 0, 0, 2}});
    auto const big = Tensor<felt::index_t, 1>::of({-7, 1LL << 60});
    CHECK(values(big % 4) == plain{{2}, {-3, 0}});
    CHECK(values(remainder(big, 4)) == plain{{2}, {1, 0}});
    CHECK(values(floor_divide(big, 4)) == plain{{2}, {-2, 1LL << 58}});
}

TEST_CASE("classes of numbers, their signs and their neighbours") {
    float const q = std::numeric_limits<float>::quiet_NaN(), big = HUGE_VALF;
    auto const a = Tensor<float, 1>::of({q, big, -big, -0.f, 1});
    CHECK(values(isnan(a)) == plain{{5}, {1, 0, 0, 0, 0}});
    CHECK(values(isinf(a)) == plain{{5}, {0, 1, 1, 0, 0}});
    CHECK(values(isfinite(a)) == plain{{5}, {0, 0, 0, 1, 1}});
    CHECK(values(signbit(slice(a, felt::range(1, 5)))) == plain{{4}, {0, 1, 1, 0}});
    CHECK(values(nan_to_num(a)) == plain{{5},
                                         {0, std::numeric_limits<float>::max(),
                                          std::numeric_limits<float>::lowest(), 0, 1}});
    CHECK(values(nan_to_num(a, 5, 6, -7)) == plain{{5}, {5, 6, -7, 0, 1}});
    CHECK(values(copysign(2, a)) == plain{{5}, {std::copysign(2.0, q), 2, -2, -2, 2}});
    CHECK(values(nextafter(a, 2) == a) == plain{{5}, {0, 0, 0, 0, 0}});
    auto const i = Tensor<int, 1>::of({-7, 0});
    CHECK(values(isnan(i)) == plain{{2}, {0, 0}});
    CHECK(values(isfinite(i)) == plain{{2}, {1, 1}});
    CHECK(values(signbit(i)) == plain{{2}, {1, 0}});
    CHECK(values(nan_to_num(i)) == plain{{2}, {-7, 0}});
    CHECK(values(logical_xor(i, true)) == plain{{2}, {0, 1}});
}

TEST_CASE("functions of every number") {
    agrees(floor(x), [](double a, double) { return std::floor(a); });
    agrees(ceil(x * 0.5), [](double a, double) { return std::ceil(a / 2); });
    agrees(trunc(x * 0.5), [](double a, double) { return std::trunc(a / 2); });
    agrees(round(x * 0.5), [](double a, double) { return std::rint(a / 2); });
    agrees(lerp(x, y, 0.25), [](double a, double b) { return a + 0.25 * (b - a); });
    agrees(sign(x), [](double a, double) { return (a > 0) - (a < 0); });
    agrees(relu(x), [](double a, double) { return std::max(a, 0.0); });
    agrees(maximum(x, y), [](double a, double b) { return std::max(a, b); });
    agrees(minimum(x, y), [](double a, double b) { return std::min(a, b); });
    agrees(clip(x, -1, y), [](double a, double b) { return std::min(std::max(a, -1.0), b); });
    agrees(soft_threshold(x, 1.5),
           [](double a, double) { return (a > 0 ? 1 : -1) * std::max(std::abs(a) - 1.5, 0.0); });
    agrees(where(x < y, x, 7), [](double a, double b) { return a < b ? a : 7; });
}

TEST_CASE("the same functions of integers") {
    auto const i = Tensor<int, 1>::of({-7, 0, 3});
    CHECK(values(abs(i) - floor(i)) == plain{{3}, {14, 0, 0}});
    CHECK(values(ceil(i) + trunc(i) + round(i)) == plain{{3}, {-21, 0, 9}});
    CHECK(values(lerp(i, 1, 0.5)) == plain{{3}, {-3, 0.5, 2}});
    CHECK(values(reciprocal(i)) == plain{{3}, {-1.0 / 7, infinity, 1.0 / 3}});
    CHECK(values(cos(i * 0)) == plain{{3}, {1, 1, 1}});
    CHECK(values(sign(i)) == plain{{3}, {-1, 0, 1}});
    CHECK(values(relu(i)) == plain{{3}, {0, 0, 3}});
    CHECK(values(clip(i, -1, 2)) == plain{{3}, {-1, 0, 2}});
    CHECK(values(where(i > 0, i, -1)) == plain{{3}, {-1, -1, 3}});
    CHECK(values(soft_threshold(i, 2)) == plain{{3}, {-5, 0, 1}});
}

TEST_CASE("the larger and the smaller of two conditions are conditions") {
    auto const few = Tensor<bool, 1>::of({true, false, false});
    Tensor<bool, 1> some = maximum(few, !few);
    CHECK(values(some) == plain{{3}, {1, 1, 1}});
    some = minimum(few, !few);
    CHECK(values(some) == plain{{3}, {0, 0, 0}});
    auto const count = felt::iota<int>(1000);
    CHECK(values(sum(maximum(count < 300, count >= 900))) == plain{{}, {400}});
    CHECK(values(sum(minimum(count < 300, count >= 100))) == plain{{}, {200}});
    CHECK(values(maximum(few, 0.5f)) == plain{{3}, {1, 0.5, 0.5}});
}

TEST_CASE("where takes a condition of any type and values of two") {
    auto const c = Tensor<int, 1>::of({0, 2, -1});
    auto const d = Tensor<double, 1>::of({0.5, 1.5, 2.5});
    CHECK(values(where(c, d, Tensor<int, 1>::of({7, 8, 9}))) == plain{{3}, {7, 1.5, 2.5}});
    CHECK(values(where(c > 0, 1, 2)) == plain{{3}, {2, 1, 2}});
    CHECK(values(where(c > 0, c < 0, c == 0)) == plain{{3}, {1, 0, 0}});
}

TEST_CASE("NaN is passed on by maximum, minimum, relu and clip, and equals nothing") {
    float const q = std::numeric_limits<float>::quiet_NaN();
    auto const a = Tensor<float, 1>::of({q, 1, q, -1}), b = Tensor<float, 1>::of({1, q, q, -2});
    CHECK(values(maximum(a, b)) == plain{{4}, {not_a_number, not_a_number, not_a_number, -1}});
    CHECK(values(minimum(a, b)) == plain{{4}, {not_a_number, not_a_number, not_a_number, -2}});
    CHECK(values(relu(a)) == plain{{4}, {not_a_number, 1, not_a_number, 0}});
    CHECK(values(clip(a, -0.5, 0.5)) == plain{{4}, {not_a_number, 0.5, not_a_number, -0.5}});
    CHECK(values(a == a) == plain{{4}, {0, 1, 0, 1}});
    CHECK(values(a != a) == plain{{4}, {1, 0, 1, 0}});
    CHECK(values(felt::cast<bool>(a)) == plain{{4}, {1, 1, 1, 1}});
    CHECK(values(sqrt(b - 1)) == plain{{4}, {0, not_a_number, not_a_number, not_a_number}});
    CHECK(values(log(a + 1)) ==
          plain{{4}, {not_a_number, std::log(2.0), not_a_number, -infinity}, 1e-6});
}
