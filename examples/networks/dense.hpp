// SPDX-License-Identifier: BSD-3-Clause
//
// Fully connected networks, and the small ones of "Hardware and Software for Deep Learning".
#pragma once
#include <felt/nn.hpp>

namespace networks {

namespace nn = felt::nn;
using felt::index_t;

// Of so many hidden layers of 2048, sigmoid: FCN-5 has 3, FCN-8 has 6. (Shi et al., "Benchmarking
// state-of-the-art deep learning software tools", 2016.)
template <class Net = nn::net>
Net fcn(int hidden) {
    Net net;
    for (int k = 0; k < hidden; ++k) net << (nn::dense{2048} | nn::sigmoid);
    return std::move(net) << nn::dense{26752};
}
template <class Net = nn::net>
Net fcn5_r() {
    auto d = [](index_t n) { return nn::dense{n} | nn::sigmoid; };
    return Net{} << d(2048) << d(4096) << d(1024) << nn::dense{10};
}

// Softmax regression: weights and biases begin at 0.
template <class Net = nn::net>
Net softmax_regression() {
    return Net{} << nn::dense{10, nn::zeros};
}
// Keras' first example, of 100 inputs.
template <class Net = nn::net>
Net keras_dense() {
    return Net{} << (nn::dense{64} | nn::relu) << nn::dense{10};
}
// Neural Designer's regression of a yacht's resistance by 6 measures of its hull.
template <class Net = nn::net>
Net yacht() {
    return Net{} << (nn::dense{8} | nn::tanh) << nn::dense{1};
}

// CANDLE's P1B1, an autoencoder of expression profiles, through so many values.
template <class Net = nn::net>
Net p1b1(index_t features = 60483, index_t latent = 2) {
    auto d = [](index_t n) { return nn::dense{n} | nn::relu; };
    return Net{} << d(2000) << d(600) << d(latent) << d(600) << d(2000)
                 << (nn::dense{features} | nn::sigmoid);
}
// One task of CANDLE's P3B1: all tasks share the first layer.
template <class Net = nn::net>
Net p3b1(index_t classes) {
    auto const d = [] { return nn::dense{1200} | nn::relu; };
    return Net{} << d() << d() << d() << nn::dense{classes};
}

}  // namespace networks
