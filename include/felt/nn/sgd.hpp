// SPDX-License-Identifier: BSD-3-Clause
//
// Stochastic gradient descent with momentum (Polyak's heavy ball, 1964):
//
//   v <- momentum v + rate (g + decay x),   x <- x - v
//
// one pass over v and x per step. The decay is the gradient of decay |x|^2 / 2. The caller makes
// the steps and owns the schedule:
//
//   felt::sgd<float> optimiser(std::move(theta));
//   for (...) {
//       optimiser.options({.rate = 0.1 / (1 << epoch), .momentum = 0.95});
//       optimiser.step(cost);        // cost(x, gradient) writes the gradient, returns the cost
//   }
#pragma once
#include <felt/felt.hpp>
#include <string>

namespace felt::inline FELT_ABI {

struct sgd_options {
    double rate = 0.01, momentum = 0, weight_decay = 0;
};

template <class T, class Space = Host>
class sgd {
public:
    using vector = Tensor<T, 1, Space>;

    explicit sgd(vector x, sgd_options const& o = {})
        : o_(o), x_(std::move(x)), g_(x_.extents()), v_(x_.extents()) {}

    vector const& x() const { return x_; }
    vector const& gradient() const { return g_; }  // before the last step
    double cost() const { return cost_; }          // before the last step
    index_t iteration() const { return iteration_; }
    sgd_options const& options() const { return o_; }
    void options(sgd_options const& o) { o_ = o; }

    template <class Cost>
    void step(Cost&& cost) {
        cost_ = cost(std::as_const(x_), g_);
        auto const momentum = static_cast<T>(o_.momentum), rate = static_cast<T>(o_.rate);
        auto const decay = static_cast<T>(o_.weight_decay);
        run(fused, assign(v_, momentum * v_ + rate * (g_ + decay * x_)), assign(x_, x_ - v_));
        ++iteration_;
    }

    // f(name, part) for every part of the state: an index_t, a double or a vector. What it reads
    // here and writes into another optimiser of the same options makes that go on bit for bit.
    template <class F>
    void each_part(F&& f) {
        f("iteration", iteration_), f("cost", cost_), f("x", x_), f("velocity", v_);
    }

private:
    sgd_options o_;
    vector x_, g_, v_;
    double cost_ = 0;
    index_t iteration_ = 0;
};

}  // namespace felt::inline FELT_ABI
