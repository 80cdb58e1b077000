// SPDX-License-Identifier: BSD-3-Clause
//
// Adadelta (Zeiler, "ADADELTA: an adaptive learning rate method", 2012). s and d are decaying means
// of squares, of the gradient and of what is subtracted:
//
//   s <- rho s + (1 - rho) g^2,   u = sqrt(d + epsilon) / sqrt(s + epsilon) g
//   x <- x - rate u,              d <- rho d + (1 - rho) u^2
//
// one pass over s, x and d per step. Used as felt::sgd is.
#pragma once
#include <felt/felt.hpp>
#include <string>

namespace felt::inline FELT_ABI {

struct adadelta_options {
    double rate = 1, rho = 0.95, epsilon = 1e-6;
};

template <class T, class Space = Host>
class adadelta {
public:
    using vector = Tensor<T, 1, Space>;

    explicit adadelta(vector x, adadelta_options const& o = {})
        : o_(o), x_(std::move(x)), g_(x_.extents()), s_(x_.extents()), d_(x_.extents()) {}

    vector const& x() const { return x_; }
    vector const& gradient() const { return g_; }  // before the last step
    double cost() const { return cost_; }          // before the last step
    index_t iteration() const { return iteration_; }
    adadelta_options const& options() const { return o_; }
    void options(adadelta_options const& o) { o_ = o; }

    template <class Cost>
    void step(Cost&& cost) {
        cost_ = cost(std::as_const(x_), g_);
        auto const rate = static_cast<T>(o_.rate), epsilon = static_cast<T>(o_.epsilon);
        auto const kept = static_cast<T>(o_.rho), added = static_cast<T>(1 - o_.rho);
        auto const ratio = (d_ + epsilon) / (s_ + epsilon);
        run(fused, assign(s_, kept * s_ + added * square(g_)),
            assign(x_, x_ - rate * sqrt(ratio) * g_),
            assign(d_, kept * d_ + added * ratio * square(g_)));
        ++iteration_;
    }

    // f(name, part) for every part of the state: an index_t, a double or a vector. What it reads
    // here and writes into another optimiser of the same options makes that go on bit for bit.
    template <class F>
    void each_part(F&& f) {
        f("iteration", iteration_), f("cost", cost_), f("x", x_), f("square", s_), f("step", d_);
    }

private:
    adadelta_options o_;
    vector x_, g_, s_, d_;
    double cost_ = 0;
    index_t iteration_ = 0;
};

}  // namespace felt::inline FELT_ABI
