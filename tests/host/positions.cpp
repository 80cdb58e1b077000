// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>

using felt::index_t;

namespace {

// Whether x is the better of two, by a plain rule: a NaN beats every number.
template <class T>
bool beats(T x, T best) {
    return best == best && (x != x || x > best);
}

// argmax over the last two axes of windows (n, c, p, q, i, j), by a plain loop over an array.
template <class X, class Y>
void check_windows(X const& x, Y const& y, index_t k, index_t stride, index_t pad) {
    using T = felt::value_of<X>;
    int wrong = 0;
    for (index_t n = 0; n < y.extent(0); ++n)
        for (index_t c = 0; c < y.extent(1); ++c)
            for (index_t p = 0; p < y.extent(2); ++p)
                for (index_t q = 0; q < y.extent(3); ++q) {
                    index_t at = -1;
                    T best = 0;
                    for (index_t i = p * stride - pad; i < p * stride - pad + k; ++i)
                        for (index_t j = q * stride - pad; j < q * stride - pad + k; ++j) {
                            if (i < 0 || j < 0 || i >= x.extent(2) || j >= x.extent(3)) continue;
                            if (at >= 0 && !beats(T(x(n, c, i, j)), best)) continue;
                            best = x(n, c, i, j), at = i * x.extent(3) + j;
                        }
                    wrong += y(n, c, p, q) != at;
                }
    CHECK(wrong == 0);
}

template <class T, class Layout>
void check_pools(felt::extents<4> const& e) {
    std::mt19937 random(7);
    felt::Tensor<T, 4, felt::Host, Layout> x(e);
    for (T& v : std::span(x.data(), static_cast<std::size_t>(x.size()))) {
        v = static_cast<T>(random() % 5);
        if (std::is_floating_point_v<T> && random() % 11 == 0) v = static_cast<T>(NAN);
    }
    for (index_t k : {2, 3, 6}) {
        for (index_t stride : {1, 2, 3}) {
            for (index_t pad = 0; 2 * pad <= k && pad < 2; ++pad) {
                if (k > std::min(e[2], e[3]) + 2 * pad) continue;
                CAPTURE(felt::to_string(e));
                CAPTURE(k);
                CAPTURE(stride);
                CAPTURE(pad);
                felt::pool_options const o{{k, k}, {stride, stride}, {pad, pad}};
                felt::Tensor<index_t, 4, felt::Host, Layout> y;
                y = argmax_pool2d(x, o);
                check_windows(x, y, k, stride, pad);
                auto const anew = y;
                y = felt::index_t(-1);
                felt::run(felt::unfused, felt::assign(y, argmax_pool2d(x, o)));
                CHECK(felt::all(y == anew));
            }
        }
    }
}

}  // namespace

TEST_CASE_TEMPLATE("places in windows are those of a plain loop", T, float, double, std::uint8_t,
                   int) {
    for (index_t channels : {1, 3, 16, 17, 67}) {
        check_pools<T, felt::ChannelsLast>({2, channels, 7, 9});
        check_pools<T, felt::RowMajor>({2, channels, 7, 9});
    }
    check_pools<T, felt::ChannelsLast>({1, 2050, 4, 3});
}

TEST_CASE("positions over several axes of rows, the outermost in blocks") {
    for (index_t channels : {5, 64, 300}) {
        felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> x({3, channels, 11, 13});
        x = felt::floor(7 * felt::uniform<float>(x.extents(), 3));
        felt::Tensor<index_t, 1> all;
        all = felt::argmax<0, 2, 3>(x);
        felt::Tensor<index_t, 2> last;
        last = felt::argmin<0, 3>(x);
        for (index_t c = 0; c < channels; ++c) {
            index_t most = 0;
            auto const at = [&](index_t k) { return float(x(k / 143, c, k / 13 % 11, k % 13)); };
            for (index_t k = 0; k < 3 * 143; ++k) most = at(k) > at(most) ? k : most;
            CHECK(all(c) == most);
            for (index_t h = 0; h < 11; ++h) {
                index_t least = 0;
                auto const of = [&](index_t k) { return float(x(k / 13, c, h, k % 13)); };
                for (index_t k = 0; k < 39; ++k) least = of(k) < of(least) ? k : least;
                CHECK(last(c, h) == least);
            }
        }
    }
}

TEST_CASE_TEMPLATE("positions in 32 bits", T, float, int, std::int16_t, std::uint8_t) {
    using monoid = felt::monoid::argmax_as<std::int32_t>;
    for (index_t columns : {1, 5, 16, 17, 67, 300}) {
        felt::Tensor<T, 2> x({101, columns});
        x = felt::cast<T>(9 * felt::uniform<float>(x.extents(), 11));
        felt::Tensor<std::int32_t, 1> down, across;
        down = felt::detail::reduce<monoid, 0>(x);
        across = felt::detail::reduce<monoid, 1>(x);
        CHECK(bool(felt::all(felt::cast<index_t>(down) == felt::argmax<0>(x))));
        CHECK(bool(felt::all(felt::cast<index_t>(across) == felt::argmax<1>(x))));
    }
}
