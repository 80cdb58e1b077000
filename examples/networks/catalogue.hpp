// SPDX-License-Identifier: BSD-3-Clause
//
// The networks by name, with what the suites show them and what they have published.
#pragma once
#include <felt/nn.hpp>
#include <string>
#include <vector>

namespace networks {

using felt::index_t;

// Seconds per batch of a forward pass, and of forward, backward and, where the suite has it,
// update.
struct published {
    std::string by;  // software, machine, source
    double forward, step;
};

// (batch, features), (batch, channels, side, side), (steps, batch), (steps, batch, features)
enum class shown { rows, images, words, series };

struct entry {
    std::string name, text;
    shown as;
    std::vector<index_t> sample;  // these extents without the batch
    index_t batch;
    felt::nn::net (*make)();
    bool labelled = true;  // the cost: cross-entropy of classes, or the mean square of values
    std::vector<published> figures{};
};

std::vector<entry> const& catalogue();
// Throws felt::error that lists the names there are.
entry const& find(std::string const& name);

// Others of their blocks: P1B1 of fewer genes, a task of P3B1, Keras' network without its scores.
felt::nn::net make_p1b1(index_t features);
felt::nn::net make_p3b1(index_t classes);
felt::nn::net make_keras_features();

}  // namespace networks
