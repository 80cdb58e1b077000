// SPDX-License-Identifier: BSD-3-Clause
//
// Cost and gradient as the study wrote them: one operation after the other, each result a tensor
// of its own, timed by the study's names.
#pragma once
#include <ae/model.hpp>
#include <support/profile.hpp>

namespace ae {

template <class T, class Space = felt::Host>
class operations {
public:
    using vector = felt::Tensor<T, 1, Space>;
    using matrix = felt::Tensor<T, 2, Space>;

    operations(shape const& s, index_t samples)
        : shape_(s),
          z2_({s.hidden, samples}),
          a2_(z2_.extents()),
          d2_(z2_.extents()),
          back_(z2_.extents()),
          z3_({s.visible, samples}),
          a3_(z3_.extents()),
          d3_(z3_.extents()),
          slope_(z3_.extents()),
          r_({s.hidden}),
          terms_({3}) {}

    // The gradient at theta is written.
    void step(support::profile& times, matrix const& x, vector const& theta, vector& gradient);

private:
    shape shape_;
    matrix z2_, a2_, d2_, back_, z3_, a3_, d3_, slope_;
    vector r_, terms_;
};

template <class T, class Space>
void operations<T, Space>::step(support::profile& times, matrix const& x, vector const& theta,
                                vector& gradient) {
    auto const [W1, W2, b1, b2] = parts_of<T const, Space>(theta.data(), shape_);
    auto const g = parts_of<T, Space>(gradient.data(), shape_);
    auto const weights = slice(theta, felt::range(0, 2 * W1.size()));
    auto const m = static_cast<T>(x.extent(1)), lambda = static_cast<T>(shape_.lambda);
    auto const rho = static_cast<T>(shape_.rho), beta = static_cast<T>(shape_.beta);
    auto const timed = [&](char const* name, auto const&... s) {
        times.time(name, [&] { run(felt::unfused, s...); });
    };
    timed("filter_multiply", assign(z2_, matmul(W1, x) + felt::expand_dims<1>(b1)));
    timed("soft_threshold", assign(a2_, sigmoid(z2_)));
    timed("filter_multiply", assign(z3_, matmul(W2, a2_) + felt::expand_dims<1>(b2)));
    timed("soft_threshold", assign(a3_, sigmoid(z3_)));
    timed("other", assign(r_, felt::mean<1>(a2_)), assign(d3_, a3_ - x),
          assign(slice(terms_, 0), T(0.5) / m * sum(square(d3_))),
          assign(slice(terms_, 1), lambda / 2 * sum(square(weights))),
          assign(slice(terms_, 2),
                 beta * sum(rho * log(rho / r_) + (1 - rho) * log((1 - rho) / (1 - r_)))));
    timed("sigmoid_gradient", assign(slope_, a3_ * (1 - a3_)));
    timed("other", assign(d3_, d3_ * slope_), assign(g.b2, felt::mean<1>(d3_)));
    timed("mat_mat_trans_mult", assign(g.W2, matmul(d3_, transpose(a2_)) / m + lambda * W2));
    timed("mat_trans_mat_mult", assign(back_, matmul(transpose(W2), d3_)));
    timed("sigmoid_gradient", assign(d2_, a2_ * (1 - a2_)));
    auto const pull = beta * ((1 - rho) / (1 - r_) - rho / r_);
    timed("other", assign(d2_, (back_ + felt::expand_dims<1>(pull)) * d2_),
          assign(g.b1, felt::mean<1>(d2_)));
    timed("mat_mat_trans_mult", assign(g.W1, matmul(d2_, transpose(x)) / m + lambda * W1));
}

}  // namespace ae
