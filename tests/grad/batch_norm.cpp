// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <cmath>
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;
using test::message;

namespace {

// In plain loops.
template <class Y>
Tensor<double, 4> by_loops(Y const& y, Tensor<double, 1> const& g, Tensor<double, 1> const& b,
                           double epsilon) {
    auto const e = y.extents();
    Tensor<double, 4> z(e);
    for (index_t c = 0; c < e[1]; ++c) {
        double sum = 0, squares = 0, count = double(e.size() / e[1]);
        auto const each = [&](auto f) {
            for (index_t n = 0; n < e[0]; ++n)
                for (index_t i = 0; i < e[2]; ++i)
                    for (index_t j = 0; j < e[3]; ++j) f(n, i, j);
        };
        each([&](auto n, auto i, auto j) { sum += y(n, c, i, j); });
        double const mean = sum / count;
        each([&](auto n, auto i, auto j) { squares += std::pow(y(n, c, i, j) - mean, 2); });
        double const scale = g(c) / std::sqrt(squares / count + epsilon);
        each(
            [&](auto n, auto i, auto j) { z(n, c, i, j) = (y(n, c, i, j) - mean) * scale + b(c); });
    }
    return z;
}

}  // namespace

TEST_CASE("an array is normalised by channel, in any layout") {
    for (auto e : {extents<4>{{3, 2, 5, 4}}, extents<4>{{1, 1, 1, 1}}, extents<4>{{2, 17, 1, 3}}}) {
        Tensor<double, 4> y(e);
        y = normal<double>(e, 1) * 3 + 2;
        Tensor<double, 4, Host, ChannelsLast> last(e);
        last = y;
        Tensor<double, 1> g({e[1]}), b({e[1]});
        g = normal<double>(g.extents(), 2), b = normal<double>(b.extents(), 3);
        auto const known = by_loops(y, g, b, 1e-5);
        CHECK(all_close(batch_norm<"n">(y, g, b), known, 1e-12, 1e-12));
        CHECK(all_close(batch_norm<"n">(last, g, b), known, 1e-12, 1e-12));
        CHECK(all_close(batch_norm<"n">(y * 2 - y, g, b, {.epsilon = 0.5}), by_loops(y, g, b, 0.5),
                        1e-12, 1e-12));
    }
}

TEST_CASE("of two axes, the batch and channels") {
    Tensor<double, 2> y({5, 3});
    Tensor<double, 1> g({3}), b({3});
    y = normal<double>(y.extents(), 1), g = 2.0, b = -1.0;
    Tensor<double, 2> const z = batch_norm<"n">(y, g, b);
    CHECK(all_close(mean<0>(z), b, 1e-13, 1e-13));
    CHECK(all_close(var<0>(z), square(g) * var<0>(y) / (var<0>(y) + 1e-5), 1e-12, 1e-12));
}

TEST_CASE("vectors have an element for each channel") {
    Tensor<double, 4> y({3, 2, 5, 4});
    Tensor<double, 1> two({2}), three({3});
    CHECK(message([&] { (void)batch_norm<"n">(y, three, two); }) ==
          "batch_norm: (3, 2, 5, 4) and gamma (3)");
    CHECK(message([&] { (void)batch_norm<"n">(y, two, three); }) ==
          "batch_norm: (3, 2, 5, 4) and beta (3)");
    running_statistics<double> const running{view(two), view(three)};
    CHECK(message([&] { (void)batch_norm<"n">(y, two, two, running); }) ==
          "batch_norm: (3, 2, 5, 4) and running statistics (3)");
}
