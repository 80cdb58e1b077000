// SPDX-License-Identifier: BSD-3-Clause
//
// The gradient g against central differences n of the cost: |n - g| / |n + g|. Other places than
// the host compute in float: theirs against the host's, which has been checked so.
#pragma once
#include <ae/trainer.hpp>
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

// Of cost and gradient, relative.
inline double distance_from_host(place const& at, shape const& s, index_t samples,
                                 std::uint64_t seed) {
    matrix_f const x = felt::uniform<float>({s.visible, samples}, seed);
    auto const start = initial_parameters<float>(s, seed);
    auto const by = at.train(s, x, felt::lbfgs<float>(start));
    by->start();
    auto const there = by->stop();
    model<double> net(s, felt::cast<double>(x));
    felt::Tensor<double, 1> const theta = felt::cast<double>(start);
    felt::Tensor<double, 1> const own = felt::cast<double>(there.gradient());
    felt::Tensor<double, 1> g(theta.extents());
    double const cost = net.cost_and_gradient(felt::fused, theta, g);
    return std::max(distance(own, g), std::abs(there.cost() - cost) / cost);
}

}  // namespace ae
