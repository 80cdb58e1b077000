// SPDX-License-Identifier: BSD-3-Clause
//
// A network's gradient beside differences of its cost, in double, fused and unfused.
#pragma once
#include <doctest/doctest.h>
#include <felt/nn/net.hpp>

namespace differences {

namespace nn = felt::nn;
using felt::index_t;
using net = nn::basic_net<double>;
using vector = felt::Tensor<double, 1>;

template <std::size_t R>
using samples = felt::Tensor<double, R, felt::Host,
                             std::conditional_t<R == 4, felt::ChannelsLast, felt::RowMajor>>;

template <std::size_t R>
samples<R> some(felt::extents<R> const& e) {
    samples<R> x(e);
    x = felt::normal<double>(e, 3);
    return x;
}

// sum of weights * what it gives.
struct weighted {
    auto operator()(auto const& z) const { return sum(z * felt::normal<double>(z.extents(), 9)); }
};

template <std::size_t R>
double cost_of(net& n, samples<R> const& x, vector const& theta, vector& g) {
    return n.cost(felt::fused, x, weighted{}, theta, g, 7);
}

template <std::size_t R>
vector check(net& n, felt::extents<R> const& e) {
    n.prepare(e);
    auto const x = some(e);
    vector theta = n.initial(1);
    theta += felt::normal<double>(theta.extents(), 5) * 0.1;
    vector g(theta.extents()), unused(theta.extents());
    double const j = cost_of(n, x, theta, g);
    CHECK(n.cost(felt::unfused, x, weighted{}, theta, unused, 7) ==
          doctest::Approx(j).epsilon(1e-12));
    CHECK(felt::all_close(g, unused, 1e-9, 1e-11));
    double worst = 0;
    for (index_t k = 0; k < theta.size(); ++k) {
        double const at = theta(k), h = 1e-6;
        theta(k) = at + h;
        double const more = cost_of(n, x, theta, unused);
        theta(k) = at - h;
        double const less = cost_of(n, x, theta, unused);
        theta(k) = at;
        worst = std::max(worst, std::abs((more - less) / (2 * h) - g(k)) / (1 + std::abs(g(k))));
    }
    CHECK(worst < 1e-6);
    return g;
}

}  // namespace differences
