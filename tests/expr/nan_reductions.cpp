// SPDX-License-Identifier: BSD-3-Clause
//
// Against loops over what is no NaN.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/nan_reductions.hpp>
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

auto const x = Tensor<float, 2>::of({{1, NAN, 3}, {NAN, NAN, NAN}, {2, -4, 2}});

double total(std::vector<double> const& v) {
    double sum = 0;
    for (double e : v) sum += e;
    return sum;
}
double average(std::vector<double> const& v) { return total(v) / static_cast<double>(v.size()); }
double variance(std::vector<double> const& v) {
    double sum = 0;
    for (double e : v) sum += (e - average(v)) * (e - average(v));
    return sum / static_cast<double>(v.size());
}
double largest(std::vector<double> const& v) {
    return v.empty() ? not_a_number : *std::max_element(v.begin(), v.end());
}
double smallest(std::vector<double> const& v) {
    return v.empty() ? not_a_number : *std::min_element(v.begin(), v.end());
}

// f of the numbers of each row, or of each column.
template <bool Rows>
plain numbers(plain const& a, auto const& f) {
    return computed({a.extents[Rows ? 0 : 1]}, [&](auto at) {
        std::vector<double> some;
        for (index_t k = 0; k < a.extents[Rows ? 1 : 0]; ++k) {
            double const e = Rows ? a(at[0], k) : a(k, at[0]);
            if (!std::isnan(e)) some.push_back(e);
        }
        return f(some);
    });
}

template <class X>
void check_axes(X const& y) {
    auto const a = values(y);
    CHECK(values(felt::nansum<1>(y)) == numbers<true>(a, total));
    CHECK(values(felt::nansum<0>(y)) == numbers<false>(a, total));
    CHECK(values(felt::nanmax<1>(y)) == numbers<true>(a, largest));
    CHECK(values(felt::nanmax<0>(y)) == numbers<false>(a, largest));
    CHECK(values(felt::nanmin<1>(y)) == numbers<true>(a, smallest));
    CHECK(values(felt::nanmin<0>(y)) == numbers<false>(a, smallest));
    CHECK(values(felt::nanmean<1>(y)) == near(numbers<true>(a, average), 1e-6));
    CHECK(values(felt::nanmean<0>(y)) == near(numbers<false>(a, average), 1e-6));
    CHECK(values(felt::nanvar<1>(y)) == near(numbers<true>(a, variance), 1e-5));
    CHECK(values(felt::nanvar<0>(y)) == near(numbers<false>(a, variance), 1e-5));
}

}  // namespace

TEST_CASE("NaN is left out; of nothing else the sum is 0, the product 1, the rest NaN") {
    CHECK(values(felt::nansum<1>(x)) == plain{{3}, {4, 0, 0}});
    CHECK(values(felt::nanprod<1>(x)) == plain{{3}, {3, 1, -16}});
    CHECK(values(felt::nanmax<1>(x)) == plain{{3}, {3, not_a_number, 2}});
    CHECK(values(felt::nanmin<1>(x)) == plain{{3}, {1, not_a_number, -4}});
    CHECK(values(felt::nanmean<1>(x)) == plain{{3}, {2, not_a_number, 0}});
    CHECK(values(felt::nanvar<1>(x)) == plain{{3}, {1, not_a_number, 8}});
    CHECK(values(felt::nanstd<1>(x)) == plain{{3}, {1, not_a_number, std::sqrt(8.0)}, 1e-6});
    CHECK(values(felt::nanvar<1>(x, {.ddof = 1})) == plain{{3}, {2, not_a_number, 12}});
    CHECK(values(felt::nanstd<0>(x, {.ddof = 1}, keepdims)) ==
          plain{{1, 3}, {std::sqrt(0.5), not_a_number, std::sqrt(0.5)}, 1e-6});
    CHECK(values(felt::nanvar<0>(x, {.ddof = 1})) == plain{{3}, {0.5, not_a_number, 0.5}});
    float const all = felt::nansum(x), top = felt::nanmax(x), low = felt::nanmin(x);
    CHECK(all == 4);
    CHECK(top == 3);
    CHECK(low == -4);
}

TEST_CASE("keepdims leaves the axes with extent 1") {
    CHECK(values(felt::nansum<0>(x, keepdims)) == plain{{1, 3}, {3, -4, 5}});
    CHECK(values(felt::nanprod<0>(x, keepdims)) == plain{{1, 3}, {2, -4, 6}});
    CHECK(values(felt::nanmax<0>(x, keepdims)) == plain{{1, 3}, {2, -4, 3}});
    CHECK(values(felt::nanmin(x, keepdims)) == plain{{1, 1}, {-4}});
    CHECK(values(felt::nanmean<0>(x, keepdims)) == plain{{1, 3}, {1.5, -4, 2.5}});
    CHECK(values(felt::nanvar<0>(x, keepdims)) == plain{{1, 3}, {0.25, 0, 0.25}});
    CHECK(values(felt::nanstd<0>(x, keepdims)) == plain{{1, 3}, {0.5, 0, 0.5}});
}

TEST_CASE("infinities are numbers") {
    auto const y = Tensor<float, 2>::of({{1, INFINITY, NAN}, {-INFINITY, NAN, 2}});
    CHECK(values(felt::nansum<1>(y)) == plain{{2}, {infinity, -infinity}});
    CHECK(values(felt::nanmax<1>(y)) == plain{{2}, {infinity, 2}});
    CHECK(values(felt::nanmin<1>(y)) == plain{{2}, {1, -infinity}});
    CHECK(values(felt::nanmean<1>(y)) == plain{{2}, {infinity, -infinity}});
    CHECK(values(felt::nanvar<1>(y)) == plain{{2}, {not_a_number, not_a_number}});
    auto const low = Tensor<float, 1>::of({-INFINITY, NAN});
    CHECK(values(felt::nanmax(low)) == plain{{}, {-infinity}});
}

TEST_CASE("integers and bool have no NaN") {
    auto const i = Tensor<int, 1>::of({3, 5});
    CHECK(std::is_same_v<felt::value_of<decltype(felt::nansum(i))>, index_t>);
    CHECK(std::is_same_v<felt::value_of<decltype(felt::nanmax(i))>, int>);
    CHECK(values(felt::nansum(i)) == plain{{}, {8}});
    CHECK(values(felt::nanprod(i)) == plain{{}, {15}});
    CHECK(values(felt::nanmax(i)) == plain{{}, {5}});
    CHECK(values(felt::nanmin(i)) == plain{{}, {3}});
    CHECK(values(felt::nanmean(i)) == plain{{}, {4}});
    CHECK(values(felt::nanvar(i, {.ddof = 1})) == plain{{}, {2}});
    CHECK(values(felt::nanstd(i)) == plain{{}, {1}});
    CHECK(values(felt::nansum(Tensor<bool, 1>::of({true, true}))) == plain{{}, {2}});
}

TEST_CASE("over nothing the largest and the smallest are errors") {
    Tensor<float, 2> const none({2, 0});
    CHECK(values(felt::nansum<1>(none)) == plain{{2}, {0, 0}});
    CHECK(values(felt::nanmean<1>(none)) == plain{{2}, {not_a_number, not_a_number}});
    CHECK(message([&] { (void)felt::nanmax<1>(none); }) ==
          "nanmax: nothing along axis 1 of (2, 0)");
    CHECK(message([&] { (void)felt::nanmin(none); }) == "nanmin: nothing along axis 1 of (2, 0)");
}

TEST_CASE("NaN anywhere, in all layouts and extents") {
    for (index_t m : {1, 7, 130})
        for (index_t n : {1, 15, 16, 17, 67, 2051}) {
            auto y = numbered<Tensor<float, 2>>({m, n});
            y = where(felt::iota<int>({m, n}) * 7 % 3 == 0, float(NAN), y);
            check_axes(y);
            check_axes(Tensor<float, 2, felt::Host, felt::ColMajor>(y));
            check_axes(y * 2);
        }
    auto wide = numbered<Tensor<double, 2>>({9, 90});
    wide = where(wide > 3.0, double(NAN), wide);
    check_axes(felt::slice(wide, felt::all(), felt::range(1, 90, 3)));
}

TEST_CASE("they are not written") {
    Tensor<float, 2> y({3, 3});
    CHECK(explain(assign(y, x - felt::nanmean<1>(x, keepdims))).intermediates().empty());
    CHECK(explain(assign(y, x / felt::nanstd<0>(x, keepdims))).intermediates().empty());
    CHECK(explain(assign(y, x / felt::nanmax<0>(x, keepdims))).intermediates().empty());
}
