// SPDX-License-Identifier: BSD-3-Clause
//
// The networks, as layers: what they give are scores, of which the cost takes the softmax. Backward
// passes are derived.
#pragma once
#include <felt/nn.hpp>

namespace cnn {

namespace nn = felt::nn;
using felt::index_t;

// One convolution, a mean pool, a softmax.
struct study_shape {
    index_t side = 28, filters = 20, filter = 9, pool = 2, classes = 10;

    index_t features() const { return side - filter + 1; }  // along a side
    index_t pooled() const { return features() / pool; }
};

// Weights are uniform in [-r, r) with r = sqrt(6 / (10 + 2000 + 1)).
//[study]
template <class Net = nn::net>
Net network(study_shape const& s) {
    auto const inputs = s.filters * s.pooled() * s.pooled();
    double const r = std::sqrt(6 / static_cast<double>(s.classes + inputs + 1));
    nn::conv const features{s.filters, s.filter, {}, nn::gaussian(0.1)};
    return Net{} << (features | nn::sigmoid | nn::avg_pool{s.pool})
                 << nn::dense{s.classes, nn::uniform_in(r)};
}
//[study]

// Two convolutions, padded so that sides stay, and two dense layers. Half of what goes into the
// last one is dropped, the rest doubled. ("Hardware and Software for Deep Learning".)
struct trial_shape {
    index_t side = 28, filter = 5, first = 32, second = 64, hidden = 1024, classes = 10;
};

//[trial]
template <class Net = nn::net>
Net network(trial_shape const& s) {
    auto const weights = nn::truncated(0.1), biases = nn::constant(0.1);
    felt::conv_options const same{.padding = {s.filter / 2, s.filter / 2}};
    auto const conv = [&](index_t n) { return nn::conv{n, s.filter, same, weights, biases}; };
    auto const dense = [&](index_t n) { return nn::dense{n, weights, biases}; };
    return Net{} << (conv(s.first) | nn::relu) << nn::max_pool{} << (conv(s.second) | nn::relu)
                 << nn::max_pool{} << (dense(s.hidden) | nn::relu | nn::dropout{})
                 << dense(s.classes);
}
//[trial]

// Softmax regression, the smallest network; all 0 at first.
struct softmax_shape {
    index_t side = 28, classes = 10;
};

template <class Net = nn::net>
Net network(softmax_shape const& s) {
    return Net{} << nn::dense{s.classes, nn::zeros};
}

}  // namespace cnn
