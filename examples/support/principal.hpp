// SPDX-License-Identifier: BSD-3-Clause
//
// Principal components of a table: its rows in the directions in which they differ most.
//
//   auto const p = support::principal(train, 0.99);   // as few as have 99 % of the variance
//   test = p.of(test);                                // (rows, components)
#pragma once
#include <felt/linalg.hpp>

namespace support {

struct principal_components {
    felt::Tensor<float, 1> mean;
    felt::Tensor<float, 2> directions;  // (columns, components), orthonormal
    felt::Tensor<float, 1> variances;   // of the components, falling
    double share;                       // of the variance of all

    felt::Tensor<float, 2> of(felt::Tensor<float, 2> const& x) const {
        return felt::matmul(x - mean, directions);
    }
};

// The first ones, until they have this share of the variance.
inline principal_components principal(felt::Tensor<float, 2> const& x, double share = 1) {
    if (x.extent(0) < 2 || !(0 < share && share <= 1))
        throw felt::error("principal: needs two rows or more, and a share in (0, 1]");
    auto const [rising, vectors] = felt::eigh(felt::eval(felt::cov(felt::transpose(x))));
    felt::Tensor<float, 1> const all = felt::flip<0>(rising);
    double const whole = felt::sum(felt::cast<double>(all));
    felt::index_t k = 0;
    double sum = 0;
    // What is missing from 1 by rounding alone is no component.
    while (k < all.size() && sum < whole * share * (1 - 1e-6)) sum += double(all(k++));
    auto const first = felt::until(std::max<felt::index_t>(k, 1));
    return {felt::mean<0>(x), felt::slice(felt::flip<1>(vectors), felt::all(), first),
            felt::slice(all, first), whole > 0 ? sum / whole : 1};
}

}  // namespace support
