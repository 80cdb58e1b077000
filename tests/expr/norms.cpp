// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/norms.hpp>
#include <type_traits>

namespace order = felt::order;
using felt::index_t;
using felt::keepdims;
using felt::norm;
using felt::Tensor;
using test::computed;
using test::infinity;
using test::message;
using test::near;
using test::not_a_number;
using test::numbered;
using test::plain;
using test::values;

namespace {

// The norm of order p of n numbers f(0), f(1), ..
template <class F>
double of_order(double p, index_t n, F f) {
    double sum = 0, high = 0, low = infinity;
    for (index_t i = 0; i < n; ++i) {
        double const e = std::abs(f(i));
        high = std::max(high, e);
        low = std::min(low, e);
        if (std::isfinite(p)) sum += p == 0 ? static_cast<double>(e != 0) : std::pow(e, p);
    }
    if (std::isinf(p)) return p > 0 ? high : low;
    return p == 0 ? sum : std::pow(sum, 1 / p);
}

template <class X, class P>
void check_order(X const& x, P p, double number) {
    auto const a = values(x);
    index_t const m = a.extents[0], n = a.extents[1];
    CHECK(values(norm<1>(x, p)) ==
          near(computed({m},
                        [&](auto at) {
                            return of_order(number, n, [&](index_t j) { return a(at[0], j); });
                        }),
               1e-5));
    CHECK(values(norm<0>(x, p)) ==
          near(computed({n},
                        [&](auto at) {
                            return of_order(number, m, [&](index_t i) { return a(i, at[0]); });
                        }),
               1e-5));
}

template <class X>
void check_orders(X const& x) {
    check_order(x, order::zero, 0);
    check_order(x, order::one, 1);
    check_order(x, order::two, 2);
    check_order(x, order::inf, infinity);
    check_order(x, order::minus_inf, -infinity);
    for (double p : {0.5, 1.0, 2.0, 3.0}) check_order(x, p, p);
    check_order(abs(x) + 1, -1, -1);
}

}  // namespace

TEST_CASE("norm is the square root of the sum of squares, or of another order") {
    auto const x = Tensor<float, 2>::of({{3, -4}, {0, 2}});
    CHECK(values(norm<1>(x)) == plain{{2}, {5, 2}});
    CHECK(values(norm<1>(x, order::two)) == plain{{2}, {5, 2}});
    CHECK(values(norm<1>(x, order::one)) == plain{{2}, {7, 2}});
    CHECK(values(norm<1>(x, order::inf)) == plain{{2}, {4, 2}});
    CHECK(values(norm<1>(x, order::minus_inf)) == plain{{2}, {3, 0}});
    CHECK(values(norm<1>(x, order::zero)) == plain{{2}, {2, 1}});
    CHECK(values(norm<1>(x, 1)) == plain{{2}, {7, 2}, 1e-6});
    CHECK(values(norm<1>(x, 3)) == plain{{2}, {std::cbrt(91.0), 2}, 1e-6});
    CHECK(values(norm<0>(x, order::one, keepdims)) == plain{{1, 2}, {3, 6}});
    CHECK(values(norm<0>(x, 2.0, keepdims)) == plain{{1, 2}, {3, std::sqrt(20.0)}, 1e-6});
    CHECK(values(norm(x, keepdims)) == plain{{1, 1}, {std::sqrt(29.0)}, 1e-6});
    float const n = norm(x, order::inf);
    CHECK(n == 4);
}

TEST_CASE("all orders, extents and layouts") {
    for (index_t m : {1, 7, 33})
        for (index_t n : {1, 16, 17, 300}) {
            auto const x = numbered<Tensor<float, 2>>({m, n});
            check_orders(x);
            check_orders(Tensor<float, 2, felt::Host, felt::ColMajor>(x));
            check_orders(x * 2);
            auto const wide = numbered<Tensor<double, 2>>({m, 2 * n});
            check_orders(felt::slice(wide, felt::all(), felt::range(1, 2 * n, 2)));
        }
}

TEST_CASE("norms of integers are double, of float they stay float") {
    auto const i = Tensor<int, 1>::of({3, -4});
    CHECK(std::is_same_v<felt::value_of<decltype(norm(i))>, double>);
    CHECK(std::is_same_v<felt::value_of<decltype(norm(Tensor<float, 1>(), 3.0))>, float>);
    CHECK(std::is_same_v<felt::value_of<decltype(norm(Tensor<float, 1>(), order::zero))>, float>);
    CHECK(values(norm(i)) == plain{{}, {5}});
    CHECK(values(norm(Tensor<std::int8_t, 1>::of({-128, 0}), order::inf)) == plain{{}, {128}});
}

TEST_CASE("NaN and infinity, and norms of nothing") {
    auto const x = Tensor<float, 2>::of({{1, NAN}, {1, -INFINITY}});
    CHECK(values(norm<1>(x)) == plain{{2}, {not_a_number, infinity}});
    CHECK(values(norm<1>(x, order::inf)) == plain{{2}, {not_a_number, infinity}});
    CHECK(values(norm<1>(x, order::minus_inf)) == plain{{2}, {not_a_number, 1}});
    CHECK(values(norm<1>(x, order::zero)) == plain{{2}, {2, 2}});
    Tensor<float, 2> const none({2, 0});
    CHECK(values(norm<1>(none)) == plain{{2}, {0, 0}});
    CHECK(values(norm<1>(none, 3)) == plain{{2}, {0, 0}});
    CHECK_THROWS_AS(norm<1>(none, order::inf), felt::shape_error);
}

TEST_CASE("an order of 0, infinity or NaN has a name") {
    auto const x = Tensor<float, 1>::of({1, 2});
    for (double p : {0.0, infinity, -infinity, not_a_number}) {
        CHECK(message([&] { (void)norm(x, p); }).find("order::inf") != std::string::npos);
    }
}

TEST_CASE("norm2 is the norm of all elements") {
    float const n = norm2(Tensor<float, 2>::of({{1, 2}, {2, 4}}));
    CHECK(n == 5);
    CHECK(values(norm2(Tensor<int, 1>::of({3, 4}))) == plain{{}, {5}});
}

TEST_CASE("a norm is not written") {
    auto const x = numbered<Tensor<float, 2>>({33, 70});
    Tensor<float, 2> y({33, 70});
    CHECK(explain(assign(y, x / norm<1>(x, keepdims))).intermediates().empty());
    CHECK(explain(assign(y, x / norm<0>(x, order::inf, keepdims))).intermediates().empty());
    CHECK(explain(assign(y, x / norm<1>(x, 3, keepdims))).intermediates().empty());
}
