// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
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
