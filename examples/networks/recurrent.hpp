// SPDX-License-Identifier: BSD-3-Clause
//
// Recurrent networks of the suites.
#pragma once
#include <felt/nn/embed.hpp>
#include <felt/nn/recurrent_stage.hpp>

namespace networks {

namespace nn = felt::nn;
using felt::index_t;

// LSTM-32 and LSTM-64: which word is next, of a vocabulary of 10000. Its state goes on from batch
// to batch.
template <class Net = nn::net>
Net words(index_t vocabulary = 10000, index_t width = 256) {
    nn::lstm const layer{width, false, true};
    return Net{} << nn::embed{vocabulary, width, nn::uniform_in(0.1)} << layer << layer
                 << nn::dense{vocabulary, nn::uniform_in(0.1)};
}

// rnn-benchmarks: the output of the last step.
template <class Net = nn::net>
Net basic_lstm(index_t hidden) {
    return Net{} << nn::lstm{hidden, true};
}
template <class Net = nn::net>
Net basic_rnn(index_t hidden) {
    return Net{} << nn::rnn{hidden, true};
}

}  // namespace networks
