// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <cmath>
#include <functional>
#include <limits>

using felt::index_t;
using felt::Tensor;

namespace {

template <class E, class T>
bool equals(E const& e, Tensor<T, 1> const& want) {
    static_assert(std::is_same_v<felt::value_of<E>, T>);
    Tensor<T, 1> const found = e;
    return found.extents() == want.extents() && bool(felt::all(found == want));
}

struct latest {
    float operator()(float, float x) const { return x; }
};

struct modulo_sum {
    int m;
    int operator()(int a, int b) const { return (a + b) % m; }
    bool operator==(modulo_sum const&) const = default;
};

}  // namespace

TEST_CASE("each element takes those before it") {
    auto const x = Tensor<float, 1>::of({3, 1, -2, 4});
    CHECK(equals(cumsum(x), Tensor<float, 1>::of({3, 4, 2, 6})));
    CHECK(equals(cumsum<-1>(x), Tensor<float, 1>::of({3, 4, 2, 6})));
    CHECK(equals(cumprod(x), Tensor<float, 1>::of({3, 3, -6, -24})));
    CHECK(equals(cummax(x), Tensor<float, 1>::of({3, 3, 3, 4})));
    CHECK(equals(cummin(x), Tensor<float, 1>::of({3, 1, -2, -2})));
    CHECK(equals(felt::inclusive_scan(std::plus<>{}, x), Tensor<float, 1>::of({3, 4, 2, 6})));
    CHECK(equals(felt::inclusive_scan(latest{}, x), x));
    CHECK(
        equals(felt::exclusive_scan(std::plus<>{}, x, 10), Tensor<float, 1>::of({10, 13, 14, 12})));
    CHECK(equals(felt::exclusive_scan<0>(std::multiplies<>{}, x, 1),
                 Tensor<float, 1>::of({1, 3, 3, -6})));
    auto const n = Tensor<int, 1>::of({3, 4, 5, 6});
    CHECK(equals(felt::inclusive_scan(modulo_sum{7}, n), Tensor<int, 1>::of({3, 0, 5, 4})));
}

TEST_CASE("along an axis of several") {
    auto const x = Tensor<double, 2>::of({{1, 2, 3}, {4, 5, 6}});
    Tensor<double, 2> y = cumsum<0>(x);
    CHECK(felt::all_close(y, Tensor<double, 2>::of({{1, 2, 3}, {5, 7, 9}}), 0, 0));
    y = felt::cumsum<-1>(x);
    CHECK(felt::all_close(y, Tensor<double, 2>::of({{1, 3, 6}, {4, 9, 15}}), 0, 0));
    y = felt::exclusive_scan<1>(std::plus<>{}, x, 7);
    CHECK(felt::all_close(y, Tensor<double, 2>::of({{7, 8, 10}, {7, 11, 16}}), 0, 0));
}

TEST_CASE("sums and products of integers and bool are index_t, the rest keeps its type") {
    auto const flag = Tensor<bool, 1>::of({true, false, true, true});
    CHECK(equals(cumsum(flag), Tensor<index_t, 1>::of({1, 1, 2, 3})));
    CHECK(equals(cummin(flag), Tensor<bool, 1>::of({true, false, false, false})));
    CHECK(equals(felt::inclusive_scan(std::logical_or<>{}, !flag),
                 Tensor<bool, 1>::of({false, true, true, true})));
    auto const n = Tensor<int, 1>::of({2000000000, 2000000000, 2});
    CHECK(equals(cumsum(n), Tensor<index_t, 1>::of({2000000000, 4000000000, 4000000002})));
    CHECK(equals(cumprod(n),
                 Tensor<index_t, 1>::of({2000000000, 4000000000000000000, 8000000000000000000})));
    CHECK(equals(cummax(n), Tensor<int, 1>::of({2000000000, 2000000000, 2000000000})));
}

TEST_CASE("NaN goes on to the end, infinities do as they do in sums") {
    float const nan = std::numeric_limits<float>::quiet_NaN();
    float const inf = std::numeric_limits<float>::infinity();
    for (index_t n : {5, 8, 19, 67}) {
        Tensor<float, 1> x({n}), y({n});
        x = 1;
        x(3) = nan;
        for (int which = 0; which < 4; ++which) {
            if (which == 0) y = cumsum(x);
            if (which == 1) y = cumprod(x);
            if (which == 2) y = cummax(x);
            if (which == 3) y = cummin(x);
            for (index_t i = 0; i < n; ++i) CHECK(std::isnan(y(i)) == (i >= 3));
        }
    }
    CHECK(equals(cummax(Tensor<float, 1>::of({-inf, -inf, 1, inf, 2})),
                 Tensor<float, 1>::of({-inf, -inf, 1, inf, inf})));
    Tensor<float, 1> const s = felt::cumsum(Tensor<float, 1>::of({1, inf, -inf, 1}));
    CHECK((s(1) == inf && std::isnan(s(2)) && std::isnan(s(3))));
}

TEST_CASE("logarithms of sums of exponentials do not overflow") {
    auto const x = Tensor<double, 1>::of({-1000, 0, 1000, 1000, -1});
    Tensor<double, 1> const y = felt::logcumsumexp(x);
    auto const want =
        Tensor<double, 1>::of({-1000, 0, 1000, 1000 + std::log(2), 1000 + std::log(2)});
    CHECK(felt::all_close(y, want, 1e-15, 0));
    Tensor<double, 2> z({70, 50});
    z = felt::normal<double>(z.extents(), 3);
    Tensor<double, 2> const across = felt::logcumsumexp<0>(z), along = felt::logcumsumexp<1>(z);
    CHECK(felt::all_close(across, log(cumsum<0>(exp(z))), 1e-13, 1e-13));
    CHECK(felt::all_close(along, log(cumsum<1>(exp(z))), 1e-13, 1e-13));
    static_assert(
        std::is_same_v<felt::value_of<decltype(felt::logcumsumexp(felt::iota<int>(3)))>, double>);
}

TEST_CASE("nothing gives nothing") {
    Tensor<float, 2> const x({0, 3}), z({3, 0});
    CHECK(felt::eval(cumsum<0>(x)).extents() == x.extents());
    CHECK(felt::eval(cummax<1>(x)).extents() == x.extents());
    CHECK(felt::eval(cummin<1>(z)).extents() == z.extents());
    CHECK(felt::eval(felt::exclusive_scan<1>(std::plus<>{}, z, 1)).extents() == z.extents());
}

TEST_CASE("the plan says scan, and what it takes") {
    Tensor<float, 2> const x({40, 64});
    Tensor<float, 2> y({40, 64});
    auto const plan = explain(assign(y, cumsum<0>(x) * 2));
    CHECK(plan.flops() == 2 * x.size());
    CHECK(plan.bytes() == 2 * x.size() * 4);
    CHECK(plan.intermediates().empty());
    std::ostringstream text;
    text << plan;
    CHECK(text.str().find("scan (40, 64)") != std::string::npos);
    static_assert(felt::fully_fused<decltype(exp(cumsum<0>(x)))>);
}
