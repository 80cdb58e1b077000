// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/functions.hpp>
#include <limits>

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

TEST_CASE("functions of real numbers") {
    agrees(exp(x), [](double a, double) { return std::exp(a); });
    agrees(log(abs(x) + 1), [](double a, double) { return std::log(std::abs(a) + 1); });
    agrees(log1p(square(x)), [](double a, double) { return std::log1p(a * a); });
    agrees(sqrt(abs(x)), [](double a, double) { return std::sqrt(std::abs(a)); });
    agrees(tanh(x), [](double a, double) { return std::tanh(a); });
    agrees(sigmoid(x), [](double a, double) { return 1 / (1 + std::exp(-a)); });
    agrees(erf(x), [](double a, double) { return std::erf(a); });
    agrees(gelu(x), [](double a, double) { return a / 2 * (1 + std::erf(a * std::sqrt(0.5))); });
    agrees(pow(abs(x), y), [](double a, double b) { return std::pow(std::abs(a), b); });
}

TEST_CASE("functions of every number") {
    agrees(floor(x), [](double a, double) { return std::floor(a); });
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
    auto const n = felt::iota<int>(1000);
    CHECK(values(sum(maximum(n < 300, n >= 900))) == plain{{}, {400}});
    CHECK(values(sum(minimum(n < 300, n >= 100))) == plain{{}, {200}});
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
