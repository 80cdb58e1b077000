// SPDX-License-Identifier: BSD-3-Clause
//
// Against the formulas in double, in two passes.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/statistics.hpp>
#include <type_traits>

using felt::index_t;
using felt::keepdims;
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

// The variance of n numbers f(0), f(1), ..
template <class F>
double variance(index_t n, double ddof, F f) {
    double mean = 0, sum = 0;
    for (index_t i = 0; i < n; ++i) mean += f(i) / static_cast<double>(n);
    for (index_t i = 0; i < n; ++i) sum += (f(i) - mean) * (f(i) - mean);
    return sum / std::max(static_cast<double>(n) - ddof, 0.0);
}

// The covariance of rows i and j.
double covariance(plain const& a, index_t i, index_t j, double ddof) {
    index_t const n = a.extents[1];
    auto const count = static_cast<double>(n);
    double u = 0, v = 0, sum = 0;
    for (index_t k = 0; k < n; ++k) u += a(i, k) / count, v += a(j, k) / count;
    for (index_t k = 0; k < n; ++k) sum += (a(i, k) - u) * (a(j, k) - v);
    return sum / std::max(count - ddof, 0.0);
}

template <class X>
void check_variances(X const& x, index_t m, index_t n) {
    auto const a = values(x);
    for (double ddof : {0.0, 1.0, 1.5}) {
        auto const along = [&](double power) {
            return computed({m}, [&, power](auto at) {
                return std::pow(variance(n, ddof, [&](auto j) { return a(at[0], j); }), power);
            });
        };
        auto const across = computed(
            {n}, [&](auto at) { return variance(m, ddof, [&](auto i) { return a(i, at[0]); }); });
        CHECK(values(felt::var<1>(x, {.ddof = ddof})) == near(along(1), 2e-6));
        CHECK(values(felt::stddev<-1>(x, {.ddof = ddof})) == near(along(0.5), 2e-6));
        CHECK(values(felt::var<0>(x, {.ddof = ddof})) == near(across, 2e-6));
    }
}

}  // namespace

TEST_CASE("var is the mean square distance from the mean, along axes or over all") {
    auto const y = Tensor<double, 2>::of({{1, 2, 3}, {4, 5, 9}});
    CHECK(values(felt::var(y)) == plain{{}, {20.0 / 3}, 1e-15});
    CHECK(values(felt::var<0>(y)) == plain{{3}, {2.25, 2.25, 9}});
    CHECK(values(felt::var<1>(y)) == plain{{2}, {2.0 / 3, 14.0 / 3}, 1e-15});
    CHECK(values(felt::var(Tensor<int, 1>::of({1, 2}))) == plain{{}, {0.25}});
    CHECK(values(felt::var<0>(y, keepdims)) == plain{{1, 3}, {2.25, 2.25, 9}});
}

TEST_CASE("with ddof it is divided by fewer, by 0 at least") {
    auto const y = Tensor<double, 2>::of({{1, 2, 3}, {4, 5, 9}});
    CHECK(values(felt::var<1>(y, {.ddof = 1})) == plain{{2}, {1, 7}});
    CHECK(values(felt::var(y, {.ddof = 2}, keepdims)) == plain{{1, 1}, {10}});
    CHECK(values(felt::var<0>(y, {.ddof = 2})) == plain{{3}, {infinity, infinity, infinity}});
    CHECK(values(felt::var<0>(y, {.ddof = 5})) == plain{{3}, {infinity, infinity, infinity}});
    CHECK(values(felt::var<0>(Tensor<float, 2>({1, 2}), {.ddof = 1})) ==
          plain{{2}, {not_a_number, not_a_number}});
}

TEST_CASE("stddev is its square root; integers are taken as double") {
    auto const i = Tensor<int, 2>::of({{1, 5}, {3, 3}});
    CHECK(std::is_same_v<felt::value_of<decltype(felt::stddev(i))>, double>);
    CHECK(values(felt::stddev<1>(i)) == plain{{2}, {2, 0}});
    CHECK(values(felt::stddev<0>(i, keepdims)) == plain{{1, 2}, {1, 1}});
    CHECK(values(felt::stddev<0>(i, {.ddof = 1}, keepdims)) ==
          plain{{1, 2}, {std::sqrt(2.0), std::sqrt(2.0)}, 1e-15});
    float const s = felt::stddev(Tensor<float, 1>::of({1, 3}));
    CHECK(s == 1);
}

TEST_CASE("variances of awkward extents and layouts") {
    for (index_t m : {1, 2, 17})
        for (index_t n : {1, 15, 16, 33, 257}) {
            check_variances(numbered<Tensor<float, 2>>({m, n}), m, n);
            check_variances(numbered<Tensor<float, 2, felt::Host, felt::ColMajor>>({m, n}), m, n);
            auto const wide = numbered<Tensor<float, 2>>({m, 2 * n});
            check_variances(felt::slice(wide, felt::all(), felt::range(0, 2 * n, 2)), m, n);
            check_variances(wide + numbered<Tensor<float, 2>>({m, 2 * n}, 3), m, 2 * n);
        }
}

TEST_CASE("far from 0 a variance keeps its digits") {
    Tensor<float, 1> const x = 30000.f + felt::iota<float>(1001);
    CHECK(values(felt::var(x)) == plain{{}, {(1001.0 * 1001 - 1) / 12}, 1e-5});
}

TEST_CASE("NaN, infinity and nothing make variances NaN") {
    auto const x = Tensor<float, 2>::of({{1, NAN}, {1, INFINITY}, {2, 2}});
    CHECK(values(felt::var<1>(x)) == plain{{3}, {not_a_number, not_a_number, 0}});
    CHECK(values(felt::stddev<1>(Tensor<float, 2>({2, 0}))) ==
          plain{{2}, {not_a_number, not_a_number}});
    CHECK(values(felt::var<0>(Tensor<float, 2>({2, 0}))) == plain{{0}, {}});
}

TEST_CASE("ptp is the largest minus the smallest") {
    auto const x = Tensor<float, 2>::of({{1, 5, 3}, {4, NAN, 6}});
    CHECK(values(felt::ptp<0>(x)) == plain{{3}, {3, not_a_number, 3}});
    CHECK(values(felt::ptp<1>(x, keepdims)) == plain{{2, 1}, {4, not_a_number}});
    index_t const all = felt::ptp(Tensor<index_t, 1>::of({-3, 7, 2}));
    CHECK(all == 10);
    CHECK(message([] { (void)felt::ptp<1>(Tensor<float, 2>({2, 0})); }) ==
          "max: nothing along axis 1 of (2, 0)");
    for (index_t n : {1, 31, 100}) {
        auto const y = numbered<Tensor<double, 2>>({5, n});
        auto const a = values(y);
        CHECK(values(felt::ptp<1>(y * 2)) == computed({5}, [&](auto at) {
                  double low = infinity, high = -infinity;
                  for (index_t j = 0; j < n; ++j) {
                      low = std::min(low, a(at[0], j));
                      high = std::max(high, a(at[0], j));
                  }
                  return 2 * (high - low);
              }));
    }
}

TEST_CASE("average weighs elements, or places along an axis") {
    auto const x = Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}});
    auto const w = Tensor<float, 2>::of({{1, 0, 0}, {1, 1, 2}});
    CHECK(values(felt::average(x, w)) == plain{{}, {4.4}, 1e-6});
    CHECK(values(felt::average<1>(x, w)) == plain{{2}, {1, 5.25}});
    CHECK(values(felt::average<0>(x, w, keepdims)) == plain{{1, 3}, {2.5, 5, 6}});
    auto const columns = Tensor<float, 1>::of({1, 0, 3}), rows = Tensor<float, 1>::of({3, 1});
    CHECK(values(felt::average<1>(x, columns)) == plain{{2}, {2.5, 5.5}});
    CHECK(values(felt::average<0>(x, rows)) == plain{{3}, {1.75, 2.75, 3.75}});
    CHECK(values(felt::average<-2>(x, rows, keepdims)) == plain{{1, 3}, {1.75, 2.75, 3.75}});
    CHECK(values(felt::average<0>(rows, rows)) == plain{{}, {2.5}});
    CHECK(values(felt::average(Tensor<int, 1>::of({1, 2}), Tensor<int, 1>::of({1, 3}))) ==
          plain{{}, {1.75}});
    CHECK(values(felt::average<1>(x, columns * 0)) == plain{{2}, {not_a_number, not_a_number}});
    CHECK(message([&] { (void)felt::average<0>(x, columns); }) ==
          "average: (2, 3) by weights of (3)");
    CHECK(message([&] { (void)felt::average(x, Tensor<float, 2>({1, 3})); }) ==
          "average: (2, 3) by weights of (1, 3)");
}

TEST_CASE("cov has the covariances of rows") {
    auto const x = Tensor<float, 2>::of({{1, 2, 3}, {2, 4, 9}});
    CHECK(values(felt::cov(x)) == plain{{2, 2}, {1, 3.5, 3.5, 13}, 1e-6});
    CHECK(values(felt::cov(Tensor<int, 2>::of({{1, 3}}), {.ddof = 0})) == plain{{1, 1}, {1}});
    CHECK(values(felt::cov(Tensor<float, 2>({2, 1}))) ==
          computed({2, 2}, [](auto) { return not_a_number; }));
    for (index_t m : {1, 7, 33})
        for (index_t n : {2, 16, 301}) {
            auto const y = numbered<Tensor<float, 2>>({m, n});
            Tensor<float, 2, felt::Host, felt::ColMajor> const c = y;
            auto const a = values(y);
            auto const expected =
                computed({m, m}, [&](auto at) { return covariance(a, at[0], at[1], 1); });
            CHECK(values(felt::cov(y)) == near(expected, 1e-5));
            CHECK(values(felt::cov(c * 2) / 4) == near(expected, 1e-5));
            CHECK(values(felt::cov(c, {.ddof = 0})) ==
                  near(computed({m, m}, [&](auto at) { return covariance(a, at[0], at[1], 0); }),
                       1e-5));
        }
}

TEST_CASE("corrcoef has the correlations of rows") {
    auto const x = Tensor<double, 2>::of({{1, 2, 3}, {-2, -4, -6}, {1, 2, 1}, {5, 5, 5}});
    CHECK(values(felt::corrcoef(felt::slice(x, felt::range(0, 3), felt::all()))) ==
          plain{{3, 3}, {1, -1, 0, -1, 1, 0, 0, 0, 1}, 1e-15});
    CHECK(values(felt::slice(felt::corrcoef(x), 3, felt::all())) ==
          computed({4}, [](auto) { return not_a_number; }));
    auto const y = numbered<Tensor<float, 2>>({9, 133});
    auto const a = values(y);
    CHECK(values(felt::corrcoef(y)) ==
          near(computed({9, 9},
                        [&](auto at) {
                            auto const c = [&](index_t i, index_t j) {
                                return covariance(a, i, j, 1);
                            };
                            return c(at[0], at[1]) / std::sqrt(c(at[0], at[0]) * c(at[1], at[1]));
                        }),
               1e-5));
}

TEST_CASE("statistics are not written") {
    auto const x = numbered<Tensor<float, 2>>({67, 131});
    Tensor<float, 2> y({67, 131});
    auto const z = (x - mean<1>(x, keepdims)) / felt::stddev<1>(x, {.ddof = 1}, keepdims);
    CHECK(explain(assign(y, z)).intermediates().empty());
    auto const w = numbered<Tensor<float, 1>>({131});
    CHECK(explain(assign(y, x - felt::average<1>(x, w, keepdims))).intermediates().empty());
    CHECK(explain(assign(y, x / felt::ptp<0>(x, keepdims))).intermediates().empty());
    y = z;
    Tensor<float, 2> unfused({67, 131});
    run(felt::unfused, assign(unfused, z));
    CHECK(values(y) == near(values(unfused), 1e-5));
}
