// SPDX-License-Identifier: BSD-3-Clause
//
// A step of FISTA as the study wrote it: one operation after the other, each result a tensor of
// its own, timed by the study's names. (What it calls soft_threshold is the logistic function; the
// shrinkage it calls shrink.)
#pragma once
#include <felt/nn/fista.hpp>
#include <support/profile.hpp>

namespace fista {

template <class T, class Space = felt::Host>
class operations {
public:
    using matrix = felt::Tensor<T, 2, Space>;

    operations(felt::dictionary<T, Space> const& d, matrix const& x)
        : G_(d.G),
          c_(matmul(transpose(d.W), x)),
          s_(c_.extents()),
          previous_(c_.extents()),
          y_(c_.extents()),
          g_(c_.extents()),
          rate_(static_cast<T>(1 / d.largest)) {}

    void step(support::profile& times, double lambda) {
        double const next = (1 + std::sqrt(1 + 4 * t_ * t_)) / 2;
        auto const momentum = static_cast<T>((t_previous_ - 1) / t_);
        auto const timed = [&](char const* name, auto const&... s) {
            times.time(name, [&] { run(felt::unfused, s...); });
        };
        timed("extrapolation", assign(y_, s_ + momentum * (s_ - previous_)));
        timed("matrix product", assign(g_, matmul(G_, y_)));
        timed("gradient step", assign(y_, y_ - rate_ * (g_ - c_)));
        timed("shrink", assign(previous_, soft_threshold(y_, static_cast<T>(lambda) * rate_)));
        std::swap(s_, previous_);
        t_previous_ = t_, t_ = next;
    }

    matrix const& codes() const { return s_; }

private:
    matrix G_, c_, s_, previous_, y_, g_;
    T rate_;
    double t_ = 1, t_previous_ = 1;
};

}  // namespace fista
