// SPDX-License-Identifier: BSD-3-Clause
//
// Through sums, products and extremes so far, beside central differences.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>
#include <limits>

using namespace felt;
using test::error_of;
using test::second_error_of;
using test::tolerance;

namespace {

template <int A>
using axis = std::integral_constant<int, A>;

template <std::size_t R>
Tensor<double, R> random(extent_arg const (&e)[R]) {
    Tensor<double, R> w(e);
    w = normal<double>(w.extents(), 3);
    return w;
}

// grad(sum(f(w) * dy)) of a vector.
template <class F>
Tensor<double, 1> slope(Tensor<double, 1> const& w, Tensor<double, 1> const& dy, F const& f) {
    Tensor<double, 1> g(w.extents());
    g = grad<"w">(f(named<"w">(w)), dy);
    return g;
}

// Along each axis of three, fused and unfused; along the last one of nothing, of one and of many
// elements too, which are extents of one statement.
template <class F>
void check(F const& f) {
    auto const squared = [&](auto x) { return square(f(x, axis<1>{})); };
    auto w = random({3, 7, 5});
    CHECK(error_of(w, [&](auto x) { return square(f(x, axis<0>{})); }) < tolerance);
    CHECK(error_of(w, squared) < tolerance);
    auto const c = test::weights(w.extents());
    auto const g = grad<"w">(sum(squared(named<"w">(w)) * c));
    Tensor<double, 3> fused_one(w.extents()), other(w.extents());
    run(fused, assign(fused_one, g));
    run(unfused, assign(other, g));
    CHECK(all_close(fused_one, other, 1e-13, 1e-13));

    for (extents<3> const& e :
         {extents<3>{{3, 7, 5}}, {{4, 1, 0}}, {{0, 1, 4}}, {{1, 1, 1}}, {{2, 1, 131}}}) {
        Tensor<double, 3> rows(e);
        rows = normal<double>(e, 3);
        CHECK(error_of(rows, [&](auto x) { return f(square(x), axis<2>{}); }) < tolerance);
    }
}

auto const product = [](auto x) { return cumprod(x); };

}  // namespace

TEST_CASE("cumulative sums") {
    check([](auto x, auto a) { return cumsum<a>(x); });
}

TEST_CASE("cumulative products") {
    check([](auto x, auto a) { return cumprod<a>(x); });
}
TEST_CASE("cumulative products of zeros: what is without the first zero goes to it") {
    auto w = random({4, 6});
    w(0, 2) = w(1, 0) = w(2, 5) = w(3, 1) = w(3, 4) = 0;
    CHECK(error_of(w, [](auto x) { return cumprod<0>(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(1 + cumprod<1>(x)); }) < tolerance);
    auto const ones = Tensor<double, 1>::of({1, 1, 1, 1});
    auto const g = slope(Tensor<double, 1>::of({2, 0, 3, 0}), ones, product);
    CHECK(all(g == Tensor<double, 1>::of({1, 2 + 2 * 3, 0, 0})));
}
TEST_CASE("second derivatives of cumulative products") {
    auto w = random({2, 5});
    CHECK(second_error_of(w, [](auto x) { return sum(square(cumprod<1>(x))); }) < tolerance);
    w(0, 2) = w(1, 0) = 0;
    CHECK(second_error_of(w, [](auto x) { return sum(cumprod<1>(x)); }) < tolerance);
}

TEST_CASE("largest and smallest so far") {
    check([](auto x, auto a) { return cummax<a>(x); });
    check([](auto x, auto a) { return cummin<a>(x); });
}
TEST_CASE("the first of equal extremes has it all") {
    auto const dy = Tensor<double, 1>::of({1, 2, 4, 8, 16, 32});
    auto const w = Tensor<double, 1>::of({3, 1, 3, 5, 5, 2});
    auto const to_largest = slope(w, dy, [](auto x) { return cummax(x); });
    CHECK(all(to_largest == Tensor<double, 1>::of({1 + 2 + 4, 0, 0, 8 + 16 + 32, 0, 0})));
    auto const to_smallest = slope(w, dy, [](auto x) { return cummin(x); });
    CHECK(all(to_smallest == Tensor<double, 1>::of({1, 2 + 4 + 8 + 16 + 32, 0, 0, 0, 0})));
    double const nan = std::numeric_limits<double>::quiet_NaN();
    auto const broken = Tensor<double, 1>::of({3, nan, 7, nan, 9, 9});
    auto const to_nan = slope(broken, dy, [](auto x) { return cummax(x); });
    CHECK(all(to_nan == Tensor<double, 1>::of({1, 2 + 4 + 8 + 16 + 32, 0, 0, 0, 0})));
    auto const of_zeros = Tensor<double, 2>::of({{1, 2}, {0, -1}});
    auto const to_zero = eval(grad<"w">(sum(cummax<1>(named<"w">(of_zeros)))));
    CHECK(all(to_zero == Tensor<double, 2>::of({{1, 1}, {2, 0}})));
}

TEST_CASE("logarithms of sums so far") {
    check([](auto x, auto a) { return logcumsumexp<a>(x); });
}
TEST_CASE("logarithms of sums so far, where exp is infinite or 0") {
    double const inf = std::numeric_limits<double>::infinity();
    auto const dy = Tensor<double, 1>::of({1, -1, 2, 2});
    auto const far = Tensor<double, 1>::of({-2000, 0, 2000, 2000});
    auto const g = slope(far, dy, [](auto x) { return logcumsumexp(x); });
    CHECK(all_close(g, Tensor<double, 1>::of({1, -1, 3, 1}), 1e-11));
    auto const nothing = Tensor<double, 1>::of({-inf, -inf, 1, -inf});
    auto const h = slope(nothing, dy, [](auto x) { return logcumsumexp(x); });
    CHECK(all_close(h, Tensor<double, 1>::of({0, 0, 4, 0}), 1e-13));
}

TEST_CASE("a program keeps what they give and reads it") {
    auto w = random({3, 6});
    Tensor<double, 2> kept({3, 6}), dw({3, 6});
    auto const y = keep<"y">(kept, cumprod<1>(named<"w">(w)));
    auto step = gradient(program(y), sum(square(y)), wrt<"w">());
    double const before = step(fused, dw);
    CHECK(before > 0);
    CHECK(test::distance(w, dw, [&] { return static_cast<double>(sum(square(cumprod<1>(w)))); }) <
          tolerance);
}
