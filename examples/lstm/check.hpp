// SPDX-License-Identifier: BSD-3-Clause
//
// The gradient g against central differences n of the cost: |n - g| / |n + g|.
#pragma once
#include <lstm/model.hpp>
#include <cmath>

namespace lstm {

template <class T, class How>
double gradient_error(How how, shape const& s, index_t steps, index_t sequences, std::uint64_t seed,
                      double step = 1e-4) {
    felt::Tensor<int, 2> words({steps, sequences}), next(words.extents());
    auto const random = [&](std::uint64_t k) {
        auto const u = felt::uniform<double>(words.extents(), seed + k);
        return felt::cast<int>(u * static_cast<double>(s.vocabulary));
    };
    words = random(100), next = random(200);
    batch<> const b{felt::view(std::as_const(words)), felt::view(std::as_const(next))};
    model<T> net(s, steps, sequences);
    auto theta = model<T>::initial_parameters(s, seed);
    theta = T(5) * theta;  // so that no gate is near its middle alone
    felt::Tensor<T, 1> g(theta.extents());
    auto const cost = [&] {
        net.reset();
        return net.cost(how, b, theta);
    };
    net.reset();
    net.cost_and_gradient(how, b, theta, g);
    double difference = 0, size = 0;
    for (index_t i = 0; i < theta.size(); ++i) {
        T const here = theta(i);
        theta(i) = here + static_cast<T>(step);
        double const above = cost();
        theta(i) = here - static_cast<T>(step);
        double const below = cost();
        theta(i) = here;
        double const n = (above - below) / (2 * step), own = static_cast<double>(g(i));
        difference += (n - own) * (n - own);
        size += (n + own) * (n + own);
    }
    return std::sqrt(difference / size);
}

}  // namespace lstm
