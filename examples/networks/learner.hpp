// SPDX-License-Identifier: BSD-3-Clause
//
// A network that learns from samples, batch by batch.
#pragma once
#include <felt/nn.hpp>
#include <felt/nn/adadelta.hpp>
#include <felt/nn/adam.hpp>
#include <felt/nn/sgd.hpp>
#include <networks/samples.hpp>
#include <functional>
#include <optional>
#include <variant>

namespace networks {

// How steps are made from gradients.
struct rule {
    enum kind_t { sgd, adam, adadelta } kind = sgd;
    double rate = 0.01, momentum = 0, weight_decay = 0;  // the last two of sgd

    felt::sgd_options as_sgd() const { return {rate, momentum, weight_decay}; }
    felt::adam_options as_adam() const { return {.rate = rate}; }
    felt::adadelta_options as_adadelta() const { return {.rate = rate, .epsilon = 1e-7}; }
};

class learner {
public:
    using vector = felt::Tensor<float, 1>;

    // For samples like those.
    learner(felt::nn::net net, samples const& like, index_t batch, rule const& r,
            std::uint64_t seed);

    // Steps over all batches of samples in a new order, or so many of them; a last part that fills
    // no batch is left out. after(cost of the step). The mean cost.
    double epoch(samples const& s, index_t steps = 0,
                 std::function<void(double)> const& after = {});
    // What the network gives for each of the samples, by inference.
    felt::Tensor<float, 2> outputs(samples const& s);

    vector const& parameters() const;
    void put_first(vector const& some);  // the first of all parameters
    index_t batch() const { return batch_; }

private:
    using optimiser = std::variant<felt::sgd<float>, felt::adam<float>, felt::adadelta<float>>;

    static optimiser optimiser_of(vector theta, rule const& r);
    void show(samples const& s, std::vector<index_t> const& order, index_t from);
    template <class F>
    auto with_batch(F const& f);

    felt::nn::net net_;
    index_t batch_;
    std::uint64_t seed_, epoch_ = 0, step_;  // each seed has its own masks of dropout
    felt::Tensor<float, 2> rows_, values_;
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> images_;
    felt::Tensor<index_t, 1> labels_;
    std::optional<optimiser> optimiser_;  // there once the network is prepared
};

// Which output is the largest.
felt::Tensor<index_t, 1> classes_of(felt::Tensor<float, 2> const& outputs);
// The share of samples whose class is right or, of values, their correlation with what is given.
double score(felt::Tensor<float, 2> const& outputs, samples const& s);

}  // namespace networks
