// SPDX-License-Identifier: BSD-3-Clause
//
// The gradient g against central differences n of the cost: |n - g| / |n + g|.
#pragma once
#include <ae/model.hpp>
#include <support/random.hpp>

namespace ae {

template <class T, class How>
double gradient_error(How how, shape const& s, index_t samples, std::uint64_t seed) {
    felt::Tensor<T, 2> x({s.visible, samples});
    support::random_stream random{seed};
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(random.uniform());
    model<T> net(s, std::move(x));
    auto theta = initial_parameters<T>(s, seed);
    felt::Tensor<T, 1> g(theta.extents()), unused(theta.extents());
    net.cost_and_gradient(how, theta, g);
    double const h = 1e-4;
    double difference = 0, size = 0;
    for (index_t i = 0; i < theta.size(); ++i) {
        T const here = theta(i);
        theta(i) = here + static_cast<T>(h);
        double const above = net.cost_and_gradient(how, theta, unused);
        theta(i) = here - static_cast<T>(h);
        double const below = net.cost_and_gradient(how, theta, unused);
        theta(i) = here;
        double const n = (above - below) / (2 * h), own = static_cast<double>(g(i));
        difference += (n - own) * (n - own);
        size += (n + own) * (n + own);
    }
    return std::sqrt(difference / size);
}

}  // namespace ae
