// SPDX-License-Identifier: BSD-3-Clause
//
// Cost and gradient of examples/ae with the backward pass written by hand: what the derived one is
// compared with, in values, in bytes and, by benchmarks/derived.cpp, in time.
#pragma once
#include <ae/model.hpp>

namespace by_hand {

template <class T, class Space = felt::Host>
struct autoencoder {
    using vector = felt::Tensor<T, 1, Space>;
    using matrix = felt::Tensor<T, 2, Space>;
    ae::shape s;
    matrix x, a2, a3, d3, d2;
    vector r, terms;

    autoencoder(ae::shape const& of, matrix samples)
        : s(of),
          x(std::move(samples)),
          a2({of.hidden, x.extent(1)}),
          a3(x.extents()),
          d3(x.extents()),
          d2(a2.extents()),
          r({of.hidden}),
          terms({3}) {}

    // Two passes over the samples: the second needs the mean activations that the first one finds.
    template <class How>
    double cost_and_gradient(How how, vector const& theta, vector& gradient) {
        auto const [W1, W2, b1, b2] = ae::parts_of<T const, Space>(theta.data(), s);
        auto const g = ae::parts_of<T, Space>(gradient.data(), s);
        auto const weights = slice(theta, felt::range(0, 2 * W1.size()));
        auto const m = static_cast<T>(x.extent(1)), lambda = static_cast<T>(s.lambda);
        auto const rho = static_cast<T>(s.rho), beta = static_cast<T>(s.beta);

        run(how, assign(a2, sigmoid(matmul(W1, x) + felt::expand_dims<1>(b1))),
            assign(r, felt::mean<1>(a2)));
        auto const pull = beta * ((1 - rho) / (1 - r) - rho / r);
        run(how, assign(a3, sigmoid(matmul(W2, a2) + felt::expand_dims<1>(b2))),
            assign(slice(terms, 0), T(0.5) / m * sum(square(a3 - x))),
            assign(d3, (a3 - x) * a3 * (1 - a3)), assign(g.b2, felt::mean<1>(d3)),
            assign(g.W2, matmul(d3, transpose(a2)) / m + lambda * W2),
            assign(d2, (matmul(transpose(W2), d3) + felt::expand_dims<1>(pull)) * a2 * (1 - a2)),
            assign(g.b1, felt::mean<1>(d2)),
            assign(g.W1, matmul(d2, transpose(x)) / m + lambda * W1),
            assign(slice(terms, 1), lambda / 2 * sum(square(weights))),
            assign(slice(terms, 2),
                   beta * sum(rho * log(rho / r) + (1 - rho) * log((1 - rho) / (1 - r)))));
        return static_cast<double>(T(sum(terms)));
    }
};

}  // namespace by_hand
