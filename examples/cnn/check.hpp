// SPDX-License-Identifier: BSD-3-Clause
//
// The gradient g against central differences n of the cost: |n - g| / |n + g|.
#pragma once
#include <cnn/net.hpp>
#include <cmath>

namespace cnn {

template <class Shape>
double gradient_error(nn::mode how, Shape const& s, index_t images, std::uint64_t seed,
                      double step = 1e-4) {
    felt::Tensor<double, 4> x({images, 1, s.side, s.side});
    x = felt::uniform<double>(x.extents(), seed + 100);
    felt::Tensor<index_t, 1> y({images});
    for (index_t i = 0; i < images; ++i) y(i) = i % s.classes;
    batch<double> const b{felt::view(std::as_const(x)), felt::view(std::as_const(y)), seed};
    net<double> network(s, images);
    auto theta = network.layers().initial(seed);
    felt::Tensor<double, 1> g(theta.extents()), unused(theta.extents());
    network.cost_and_gradient(how, b, theta, g);
    double difference = 0, size = 0;
    for (index_t i = 0; i < theta.size(); ++i) {
        double const here = theta(i);
        theta(i) = here + step;
        double const above = network.cost_and_gradient(how, b, theta, unused);
        theta(i) = here - step;
        double const below = network.cost_and_gradient(how, b, theta, unused);
        theta(i) = here;
        double const n = (above - below) / (2 * step);
        difference += (n - g(i)) * (n - g(i));
        size += (n + g(i)) * (n + g(i));
    }
    return std::sqrt(difference / size);
}

}  // namespace cnn
