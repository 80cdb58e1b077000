// SPDX-License-Identifier: BSD-3-Clause
//
// The task of the RNN benchmarks: one recurrent layer goes over sequences of random numbers, and
// its last output is to be another one.
//
//   J = sum (h_T - y)^2,  theta -= 0.01 dJ/dtheta,  theta = [W, b]
#pragma once
#include <felt/nn/lstm.hpp>
#include <felt/nn/rnn.hpp>
#include <lstm/measured.hpp>
#include <cmath>

namespace lstm {

using felt::index_t;

template <class T, class Space>
felt::lstm<T, Space> cell_of(felt::recurrent_shape const& s, felt::lstm<T, Space> const*) {
    return felt::lstm<T, Space>(s, {.order = "ijfo", .forget_bias = 1});
}
template <class T, class Space>
felt::rnn<T, Space> cell_of(felt::recurrent_shape const& s, felt::rnn<T, Space> const*) {
    return felt::rnn<T, Space>(s);
}

// Cell is felt::lstm or felt::rnn.
template <template <class, class> class Cell, class T, class Space = felt::Host>
class sequence_task {
public:
    using cell = Cell<T, Space>;
    using vector = felt::Tensor<T, 1, Space>;

    sequence_task(index_t steps, index_t batch, index_t hidden, std::uint64_t seed = 1)
        : cell_(cell_of(felt::recurrent_shape_for(steps, batch, hidden, hidden),
                        static_cast<cell const*>(nullptr))),
          x_(steps, batch, hidden, cell_.shape().batch_last),
          dy_(steps, batch, hidden, cell_.shape().batch_last),
          y_({batch, hidden}),
          theta_({cell_.shape().parameters(cell::gates)}),
          g_(theta_.extents()) {
        x_.all() = felt::uniform<T>({steps, batch, hidden}, seed);
        y_ = felt::uniform<T>(y_.extents(), seed + 1);
        auto const limit = static_cast<T>(std::sqrt(1.5 / static_cast<double>(hidden)));
        auto const W = W_of(theta_);
        run(felt::fused, assign(W, (2 * felt::uniform<T>(W.extents(), seed + 2) - 1) * limit));
    }

    // The cost; nothing for a backward pass is kept.
    template <class How>
    double forward(How how) {
        start();
        cell_.infer(how, x_.all());
        return cost();
    }

    // The cost before the step.
    template <class How>
    double train(How how) {
        start();
        cell_.forward(how, x_.all());
        double const before = cost();
        index_t const last = cell_.shape().steps - 1;
        run(how, assign(dy_.at(last), 2 * (cell_.last() - y_)));
        cell_.backward(how, dy_.all());
        cell_.weight_gradients(how, x_.all(), W_of(g_), b_of(g_));
        run(how, assign(theta_, theta_ - T(0.01) * g_));
        return before;
    }

    vector const& theta() const { return theta_; }
    vector const& gradient() const { return g_; }
    void theta(vector const& v) { theta_ = v; }

    // Of the products, in a forward pass.
    double flops() const {
        auto const& s = cell_.shape();
        return 2 * static_cast<double>(s.steps * s.batch) *
               static_cast<double>(s.weights(cell::gates));
    }

private:
    static constexpr index_t gates = cell::gates;

    auto W_of(vector& v) {
        auto const& s = cell_.shape();
        return felt::view<felt::RowMajor, Space>(v.data(), {s.inputs + s.hidden, gates * s.hidden});
    }
    auto b_of(vector& v) {
        auto const& s = cell_.shape();
        return felt::view<felt::RowMajor, Space>(v.data() + s.weights(gates), {gates * s.hidden});
    }
    void start() {
        cell_.weights(W_of(theta_), b_of(theta_));
        cell_.reset();
    }
    double cost() { return static_cast<double>(T(sum(square(cell_.last() - y_)))); }

    cell cell_;
    felt::time_series<T, Space> x_, dy_;
    felt::Tensor<T, 2, Space> y_;
    vector theta_, g_;
};

// Passes and steps of a task.
template <class Task>
measured measure(index_t steps, index_t batch, index_t hidden) {
    measured m;
    Task task(steps, batch, hidden);
    m.flops = task.flops();
    auto const start = task.theta();
    double fused = 0, unfused = 0, none = 0;
    auto const pass = [&](auto how, double& j) { return [&, how] { j = task.forward(how); }; };
    auto const step = [&](auto how, double& j) {
        return [&, how] { task.theta(start), j = task.train(how); };
    };
    m.forward = support::compare(
        pass(felt::fused, fused), pass(felt::unfused, unfused),
        [&](support::count_bytes to) { pass(to, none)(); }, 1);
    m.forward.difference = std::abs(fused - unfused) / unfused;
    m.train = support::compare(
        step(felt::fused, fused), step(felt::unfused, unfused),
        [&](support::count_bytes to) { step(to, none)(); }, 2);
    step(felt::fused, fused)();
    auto const g = task.gradient();
    step(felt::unfused, unfused)();
    m.train.difference = support::distance(g, task.gradient());
    return m;
}

}  // namespace lstm
