// SPDX-License-Identifier: BSD-3-Clause
//
// Through reductions other than sums, beside central differences.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::error_of;
using test::tolerance;

namespace {
Tensor<double, 3> values() {
    Tensor<double, 3> w({3, 4, 2});
    w = normal<double>(w.extents(), 3);
    return w;
}
}  // namespace

TEST_CASE("the largest and the smallest, over every mask of axes") {
    auto w = values();
    CHECK(error_of(w, [](auto x) { return square(max<0>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(max<1>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(max<0, 2>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(max(x)) * x; }) < tolerance);
    CHECK(error_of(w, [](auto x) { return x - min<1, 2>(x, keepdims); }) < tolerance);
}

TEST_CASE("the first of equal elements has the derivative") {
    Tensor<double, 1> w = Tensor<double, 1>::of({1, 3, 3, 2});
    auto const x = named<"w">(w);
    Tensor<double, 1> const g = grad<"w">(max(x) * 2.0);
    CHECK((g(0) == 0 && g(1) == 2 && g(2) == 0 && g(3) == 0));
}

TEST_CASE("products, with zeros") {
    auto w = values();
    CHECK(error_of(w, [](auto x) { return prod<1>(x); }) < tolerance);
    w(0, 1, 0) = 0;
    CHECK(error_of(w, [](auto x) { return prod<1>(x); }) < tolerance);
    w(0, 2, 0) = 0;
    CHECK(error_of(w, [](auto x) { return prod<1>(x, keepdims) + prod<0, 2>(x, keepdims) * x; }) <
          tolerance);
}

namespace {
struct total {
    template <class T>
    static T identity() {
        return 0;
    }
    auto operator()(auto x, auto y) const { return x + y; }
};
template <class E>
concept has_a_derivative = requires(E const& e) { grad<"w">(e); };
}  // namespace

TEST_CASE("NaN is no largest number, and what it stands for has no derivative") {
    auto const nan = std::numeric_limits<double>::quiet_NaN();
    auto const w = Tensor<double, 2>::of({{nan, 3, 5, 5}, {-2, nan, -7, 1}, {nan, nan, nan, nan}});
    auto const x = named<"w">(w);
    auto const most = Tensor<double, 2>::of({{0, 0, 1, 0}, {0, 0, 0, 1}});
    auto const least = Tensor<double, 2>::of({{0, 1, 0, 0}, {0, 0, 1, 0}});
    Tensor<double, 2> const by_most = grad<"w">(sum(slice(nanmax<1>(x), until(2))));
    Tensor<double, 2> const by_least = grad<"w">(sum(slice(nanmin<1>(x), until(2))));
    CHECK(all(slice(by_most, until(2), all()) == most));
    CHECK(all(slice(by_least, until(2), all()) == least));
}

TEST_CASE("a monoid of one's own has no rule") {
    Tensor<double, 1> w({3});
    auto const e = reduce(total{}, named<"w">(w));
    CHECK_FALSE(has_a_derivative<decltype(e)>);
    auto const stopped = reduce(total{}, stop(named<"w">(w))) * sum(named<"w">(w));
    CHECK(has_a_derivative<decltype(stopped)>);
}
