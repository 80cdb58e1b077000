// SPDX-License-Identifier: BSD-3-Clause
//
// The gradient g against central differences n of the cost: |n - g| / |n + g|.
#pragma once
#include <resnet/training.hpp>
#include <cmath>

namespace resnet {

// Of all parameters, or of those whose names end so.
inline double gradient_error(nn::mode how, shape const& s, index_t images, std::uint64_t seed,
                             std::string const& kind = "", double step = 1e-5) {
    felt::Tensor<double, 4> const x = felt::normal<double>({images, 3, s.side, s.side}, seed + 100);
    felt::Tensor<index_t, 1> y({images});
    for (index_t i = 0; i < images; ++i) y(i) = i % s.classes;
    batch<double> const b{felt::view(x), felt::view(std::as_const(y))};
    layers<> const l(s);
    auto theta = initial_parameters<double>(s, l, seed);
    theta += 0.1 * felt::normal<double>(theta.extents(), seed + 200);  // no gamma 1, no beta 0
    net<double> n(s, images);
    felt::Tensor<double, 1> g(theta.extents()), unused(theta.extents());
    n.cost_and_gradient(how, b, theta, g);
    double difference = 0, size = 0;
    for (auto const& of : l.trained.entries()) {
        if (!of.name.ends_with(kind)) continue;
        for (index_t i = of.offset; i < of.offset + of.size; ++i) {
            double const here = theta(i);
            theta(i) = here + step;
            double const above = n.cost_and_gradient(how, b, theta, unused);
            theta(i) = here - step;
            double const below = n.cost_and_gradient(how, b, theta, unused);
            theta(i) = here;
            double const numerical = (above - below) / (2 * step);
            difference += (numerical - g(i)) * (numerical - g(i));
            size += (numerical + g(i)) * (numerical + g(i));
        }
    }
    return std::sqrt(difference / size);
}

}  // namespace resnet
