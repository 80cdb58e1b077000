// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <array>
#include <cmath>

using felt::index_t;

namespace {

// Sums over all axes but the channels, by a plain loop.
template <class X>
std::vector<double> by_channel(X const& x) {
    std::vector<double> sum(static_cast<std::size_t>(x.extent(1)));
    for (index_t n = 0; n < x.extent(0); ++n) {
        for (index_t c = 0; c < x.extent(1); ++c) {
            for (index_t i = 0; i < x.extent(2); ++i) {
                for (index_t j = 0; j < x.extent(3); ++j) {
                    sum[static_cast<std::size_t>(c)] += static_cast<double>(x(n, c, i, j));
                }
            }
        }
    }
    return sum;
}

template <class Y>
void check(Y const& y, std::vector<double> const& want, double scale) {
    for (index_t c = 0; c < y.size(); ++c) {
        double const w = want[static_cast<std::size_t>(c)];
        CHECK(std::abs(static_cast<double>(y(c)) - w) <= 1e-5 * scale);
    }
}

template <class Layout>
void sums_of_channels(index_t n, index_t c, index_t h, index_t w) {
    CAPTURE(n);
    CAPTURE(c);
    CAPTURE(h);
    CAPTURE(w);
    felt::Tensor<float, 4, felt::Host, Layout> x({n, c, h, w}), z({n, c, h, w});
    felt::Tensor<float, 4> a({1, c, 1, 1}), b({1, c, 1, 1});
    x = 2 * felt::uniform<float>(x.extents(), 1) - 1;
    a = felt::uniform<float>(a.extents(), 2) + 1;
    b = felt::uniform<float>(b.extents(), 3);
    double const scale = 10 * std::sqrt(static_cast<double>(n * h * w)) + 1;
    felt::Tensor<float, 1> y({c});
    y = felt::sum<0, 2, 3>(x);  // read where they lie
    check(y, by_channel(x), scale);
    z = square(x * a + b);
    y = felt::sum<0, 2, 3>(square(x * a + b));  // computed, several rows at once
    check(y, by_channel(z), scale);
    z = x - felt::flip<3>(x) * a;
    y = felt::sum<0, 2, 3>(x - felt::flip<3>(x) * a);  // computed, row by row
    check(y, by_channel(z), scale);
}

}  // namespace

TEST_CASE("rows of few and of many channels are summed as plain loops sum them") {
    for (index_t c : {1, 2, 15, 16, 17, 64, 67, 130, 600}) {
        sums_of_channels<felt::ChannelsLast>(2, c, 3, 5);
        sums_of_channels<felt::RowMajor>(2, c, 3, 5);
    }
    for (index_t w : {0, 1, 31, 32, 33, 127}) {
        sums_of_channels<felt::ChannelsLast>(1, 16, 2, w);
        sums_of_channels<felt::ChannelsLast>(3, 5, 1, w);
    }
    sums_of_channels<felt::ChannelsLast>(70, 3, 2, 2);
}

TEST_CASE("a NaN stays in its channel, and the maximum of rows propagates it") {
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> x({3, 20, 5, 7});
    x = felt::uniform<float>(x.extents(), 1);
    x(1, 7, 2, 3) = NAN;
    felt::Tensor<float, 1> y({20}), most({20});
    y = felt::sum<0, 2, 3>(x);
    most = felt::max<0, 2, 3>(x);
    for (index_t c = 0; c < 20; ++c) {
        CHECK(std::isnan(y(c)) == (c == 7));
        CHECK(std::isnan(most(c)) == (c == 7));
    }
}

TEST_CASE("a short row that other axes repeat") {
    for (index_t n : {1, 2, 3, 8, 40}) {
        felt::Tensor<float, 1> f({n});
        f = felt::iota<float>(n) + 1.f;
        auto const all = felt::broadcast_to(f, {3, 16, n});
        felt::Tensor<float, 2> const sums = felt::sum<0>(all), most = felt::max<0>(all - 9.f);
        felt::Tensor<float, 2> const apart = felt::max<0>(all), inner = felt::sum<1>(all);
        felt::Tensor<float, 2, felt::Host, felt::ColMajor> const across = felt::sum<0>(all);
        felt::Tensor<float, 2> const logs = felt::logsumexp<0>(all);
        felt::Tensor<float, 2> unfused({16, n});
        run(felt::unfused, assign(unfused, felt::sum<0>(all)));
        for (index_t i = 0; i < 16; ++i) {
            for (index_t j = 0; j < n; ++j) {
                float const one = static_cast<float>(j + 1);
                CHECK(sums(i, j) == 3 * one);
                CHECK(across(i, j) == 3 * one);
                CHECK(unfused(i, j) == 3 * one);
                CHECK(apart(i, j) == one);
                CHECK(most(i, j) == one - 9);
                CHECK(logs(i, j) == doctest::Approx(one + std::log(3.f)));
                CHECK(inner(i % 3, j) == 16 * one);
            }
        }
    }
}

TEST_CASE("sums of values that a row of several axes shifts, along every axis") {
    for (auto [a, b, c, d] : {std::array<index_t, 4>{70, 3, 17, 2},
                              {33, 5, 2, 3},
                              {5, 40, 8, 8},
                              {4, 1, 9, 7},
                              {2, 300, 1, 3},
                              {3, 2, 40, 3}}) {
        felt::Tensor<float, 4> x({a, b, c, d}), row({1, 1, c, d}), batch({1, b, 1, d});
        x = felt::iota<float>({a, b, c, d}) / 1000.f;
        row = felt::iota<float>({1, 1, c, d});
        batch = felt::iota<float>({1, b, 1, d}) * 2.f;
        auto const shifted = (x - row) * batch;
        auto const plain = [&](index_t i, index_t j, index_t k, index_t l) {
            return (double(x(i, j, k, l)) - double(row(0, 0, k, l))) * double(batch(0, j, 0, l));
        };
        felt::Tensor<double, 4> y({a, b, c, d});
        for (index_t i = 0; i < a * b * c * d; ++i)
            y.data()[i] = plain(i / (b * c * d), i / (c * d) % b, i / d % c, i % d);
        felt::Tensor<float, 3> const s0 = felt::sum<0>(shifted), s1 = felt::sum<1>(shifted);
        felt::Tensor<float, 2> const s01 = felt::sum<0, 1>(shifted), s23 = felt::sum<2, 3>(shifted);
        felt::Tensor<float, 2> const s03 = felt::sum<0, 3>(shifted);
        felt::Tensor<double, 3> const t0 = felt::sum<0>(y), t1 = felt::sum<1>(y);
        felt::Tensor<double, 2> const t01 = felt::sum<0, 1>(y), t23 = felt::sum<2, 3>(y);
        felt::Tensor<double, 2> const t03 = felt::sum<0, 3>(y);
        auto const near = [](auto const& is, auto const& should) {
            for (index_t i = 0; i < is.size(); ++i)
                CHECK(double(is.data()[i]) == doctest::Approx(should.data()[i]).epsilon(1e-4));
        };
        INFO(a, " ", b, " ", c, " ", d);
        near(s0, t0);
        near(s1, t1);
        near(s01, t01);
        near(s23, t23);
        near(s03, t03);
    }
}
