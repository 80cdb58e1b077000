// SPDX-License-Identifier: BSD-3-Clause
//
// Training in one space, behind virtual functions: what is made of it is compiled once, and knows
// of tensors on the host alone.
#pragma once
#include <ae/compare.hpp>
#include <felt/nn/lbfgs.hpp>
#include <support/profile.hpp>
#include <memory>

namespace ae {

using vector_f = felt::Tensor<float, 1>;
using matrix_f = felt::Tensor<float, 2>;

class trainer {
public:
    virtual ~trainer() = default;

    virtual void start() = 0;  // the cost where it begins
    virtual bool step() = 0;   // an iteration; false at the end
    virtual index_t iteration() const = 0;
    virtual double cost() const = 0;
    virtual double gradient_norm() const = 0;
    virtual double seconds() const = 0;  // in the cost function so far, without copies

    virtual bool is_interrupted() const = 0;
    virtual felt::bucket_times sums() const = 0;  // over ranks

    // The optimiser as it stands, on the host; after stop() there are no more steps.
    virtual felt::lbfgs<float> state() const = 0;
    virtual felt::lbfgs<float> stop() = 0;

    virtual matrix_f samples() const = 0;  // a copy on the host

    // At theta, once it has stopped: both ways in turn; and fused by stage, how often.
    virtual comparison compared(vector_f const& theta, double budget) = 0;
    virtual double time_stages(support::profile& to, vector_f const& theta) = 0;
};

// Training of a net on the samples x goes on where the optimiser stands. Of several ranks each
// has its part of x, which has so many samples in all.
class place : public support::place {
public:
    virtual std::unique_ptr<trainer> train(shape const& s, matrix_f x, felt::lbfgs<float> from,
                                           felt::communicator& ranks = felt::alone,
                                           index_t all_samples = 0) const = 0;
};
place const& host();    // host.cpp
place const* device();  // device.cpp; nullptr without one: no_device.cpp

inline constexpr char const* stages[] = {"hidden layer", "sparsity", "output", "gradients"};

template <class Space>
class trainer_in : public trainer {
public:
    using traits = support::space_traits<Space>;
    using vector = felt::Tensor<float, 1, Space>;
    using matrix = felt::Tensor<float, 2, Space>;
    using optimiser = felt::lbfgs<float, Space>;

    trainer_in(shape const& s, matrix x, felt::lbfgs<float> o, felt::communicator& ranks,
               index_t all_samples)
        : net_(s, std::move(x), all_samples),
          optimiser_(traits::placed_state(std::move(o))),
          sum_(ranks, s.parameters()) {}

    void start() override { optimiser_.start(cost_function()); }
    bool step() override { return optimiser_.step(cost_function()); }
    index_t iteration() const override { return optimiser_.iteration(); }
    double cost() const override { return optimiser_.cost(); }
    double gradient_norm() const override { return optimiser_.gradient_norm(); }
    double seconds() const override { return seconds_; }

    bool is_interrupted() const override { return sum_.is_interrupted(); }
    felt::bucket_times sums() const override { return sum_.times(); }
    felt::lbfgs<float> state() const override {
        return traits::fetched_state(optimiser(optimiser_));
    }
    felt::lbfgs<float> stop() override {
        return traits::fetched_state(std::exchange(optimiser_, optimiser(vector{})));
    }
    matrix_f samples() const override { return traits::fetched(net_.x()); }

    comparison compared(vector_f const& theta, double budget) override {
        vector const& at = traits::placed(theta);
        return compare(net_, at, budget);
    }
    double time_stages(support::profile& to, vector_f const& theta) override {
        vector const& at = traits::placed(theta);
        vector g(at.extents());
        return support::repeated(to, [&](support::profile& p) {
            support::time_laps<Space>(
                p, stages, [&](support::laps how) { net_.cost_and_gradient(how, at, g); });
        });
    }

private:
    auto cost_function() {
        return [this](vector const& theta, vector& gradient) {
            support::space_watch<Space> const watch;
            double const value = sum_(gradient, [&](support::summed<Space> how) {
                return net_.cost_and_gradient(how, theta, gradient);
            });
            seconds_ += watch.seconds();
            return value;
        };
    }

    model<float, Space> net_;
    optimiser optimiser_;
    support::step_sum<Space> sum_;
    double seconds_ = 0;
};

}  // namespace ae
