// SPDX-License-Identifier: BSD-3-Clause
//
// Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015), in the form at the end
// of its section 2, which TensorFlow uses too. In step t = 1, 2, ...:
//
//   m <- beta1 m + (1 - beta1) g,   v <- beta2 v + (1 - beta2) g^2
//   x <- x - rate sqrt(1 - beta2^t) / (1 - beta1^t) m / (sqrt(v) + epsilon)
//
// one pass over m, v and x per step. Used as felt::sgd is.
#pragma once
#include <felt/felt.hpp>
#include <cmath>
#include <string>

namespace felt::inline FELT_ABI {

struct adam_options {
    double rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
};

template <class T, class Space = Host>
class adam {
public:
    using vector = Tensor<T, 1, Space>;

    explicit adam(vector x, adam_options const& o = {})
        : o_(o), x_(std::move(x)), g_(x_.extents()), m_(x_.extents()), v_(x_.extents()) {}

    vector const& x() const { return x_; }
    vector const& gradient() const { return g_; }  // before the last step
    double cost() const { return cost_; }          // before the last step
    index_t iteration() const { return iteration_; }
    adam_options const& options() const { return o_; }
    void options(adam_options const& o) { o_ = o; }

    template <class Cost>
    void step(Cost&& cost) {
        cost_ = cost(std::as_const(x_), g_);
        ++iteration_;
        auto const t = static_cast<double>(iteration_);
        auto const rate = static_cast<T>(o_.rate * std::sqrt(1 - std::pow(o_.beta2, t)) /
                                         (1 - std::pow(o_.beta1, t)));
        auto const b1 = static_cast<T>(o_.beta1), b2 = static_cast<T>(o_.beta2);
        auto const c1 = static_cast<T>(1 - o_.beta1), c2 = static_cast<T>(1 - o_.beta2);
        run(fused, assign(m_, b1 * m_ + c1 * g_), assign(v_, b2 * v_ + c2 * square(g_)),
            assign(x_, x_ - rate * m_ / (sqrt(v_) + static_cast<T>(o_.epsilon))));
    }

    // f(name, part) for every part of the state: an index_t, a double or a vector. What it reads
    // here and writes into another optimiser of the same options makes that go on bit for bit.
    template <class F>
    void each_part(F&& f) {
        f("iteration", iteration_), f("cost", cost_), f("x", x_), f("mean", m_), f("square", v_);
    }

private:
    adam_options o_;
    vector x_, g_, m_, v_;
    double cost_ = 0;
    index_t iteration_ = 0;
};

}  // namespace felt::inline FELT_ABI
