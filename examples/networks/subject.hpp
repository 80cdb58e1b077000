// SPDX-License-Identifier: BSD-3-Clause
//
// A network with random samples, to be measured.
#pragma once
#include <networks/catalogue.hpp>
#include <optional>

namespace networks {

class subject {
public:
    using vector = felt::Tensor<float, 1>;

    subject(entry const& e, index_t batch);

    void infer(felt::nn::mode how);  // with folded parameters
    void forward(felt::nn::mode how);
    double gradient(felt::nn::mode how);  // forward and backward; the cost
    void step(felt::nn::mode how);        // and an update by stochastic gradient descent

    felt::nn::net& net() { return net_; }
    vector const& last_gradient() const { return g_; }
    index_t batch() const { return batch_; }

private:
    template <class F>
    auto with_samples(F const& f);

    felt::nn::net net_;
    index_t batch_;
    entry const& entry_;
    felt::Tensor<float, 2> rows_, values_;
    felt::Tensor<float, 3> series_;
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> images_;
    felt::Tensor<index_t, 1> labels_;
    vector theta_, g_;
    std::optional<felt::nn::folded<float>> deployed_;  // once it has inferred, until it is trained
};

}  // namespace networks
