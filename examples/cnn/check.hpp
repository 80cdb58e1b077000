// SPDX-License-Identifier: BSD-3-Clause
//
// The gradient g against central differences n of the cost: |n - g| / |n + g|.
#pragma once
#include <cnn/study.hpp>

namespace cnn {

template <class Net, class How>
double gradient_error(How how, typename Net::shape const& s, index_t images, std::uint64_t seed,
                      double step = 1e-4) {
    using T = typename Net::value_type;
    felt::Tensor<T, 4> x({images, 1, s.side, s.side});
    x = felt::uniform<T>(x.extents(), seed + 100);
    felt::Tensor<index_t, 1> y({images});
    for (index_t i = 0; i < images; ++i) y(i) = i % s.classes;
    batch<T> const b{felt::view(std::as_const(x)), felt::view(std::as_const(y)), seed};
    Net net(s, images);
    auto theta = Net::initial_parameters(s, seed);
    felt::Tensor<T, 1> g(theta.extents()), unused(theta.extents());
    net.cost_and_gradient(how, b, theta, g);
    double difference = 0, size = 0;
    for (index_t i = 0; i < theta.size(); ++i) {
        T const here = theta(i);
        theta(i) = here + static_cast<T>(step);
        double const above = net.cost_and_gradient(how, b, theta, unused);
        theta(i) = here - static_cast<T>(step);
        double const below = net.cost_and_gradient(how, b, theta, unused);
        theta(i) = here;
        double const n = (above - below) / (2 * step), own = static_cast<double>(g(i));
        difference += (n - own) * (n - own);
        size += (n + own) * (n + own);
    }
    return std::sqrt(difference / size);
}

}  // namespace cnn
