// SPDX-License-Identifier: BSD-3-Clause
//
// Networks in float in one space, behind virtual functions, so that training and reports are
// compiled once: they know of tensors on the host alone.
#pragma once
#include <felt/nn/sgd.hpp>
#include <resnet/batches.hpp>
#include <resnet/net.hpp>
#include <resnet/sharing.hpp>
#include <support/compare.hpp>
#include <support/profile.hpp>
#include <functional>
#include <memory>

namespace resnet {

using vector_f = felt::Tensor<float, 1>;
using matrix_f = felt::Tensor<float, 2>;

// How statements are run. Those of a network of this depth are not counted.
using way = nn::mode;

// A training run as it goes on.
class trainer {
public:
    virtual ~trainer() = default;
    // The cost of the batch, of all ranks, before the step.
    virtual double step(way w, batch_f const& b, felt::sgd_options const& o) = 0;
    virtual index_t iteration() const = 0;
    virtual vector_f theta() const = 0;
    virtual vector_f running() const = 0;
    virtual matrix_f log_probabilities() const = 0;  // of the last batch
    virtual felt::sgd<float> state() const = 0;
    virtual felt::sgd<float> stop() = 0;  // there are no more steps
    virtual bool is_interrupted() const = 0;
    virtual felt::bucket_times sums() const = 0;  // of gradients over ranks
    virtual statistics_times statistics() const = 0;
    // Steps add where their time goes; nullptr: no more.
    virtual void watch(support::profile* to) = 0;
};

// What a network says of so many images, with parameters that stay.
class reader {
public:
    virtual ~reader() = default;
    virtual void start(vector_f const& theta, vector_f const& running) = 0;
    virtual index_t count() const = 0;
    virtual matrix_f logits(way w, batch_f const& b) = 0;
};

class place : public support::place {
public:
    // `batch`: of this rank.
    virtual std::unique_ptr<trainer> train(shape const& s, index_t batch, felt::sgd<float> o,
                                           vector_f const& running, sharing const& with) const = 0;
    virtual std::unique_ptr<reader> read(shape const& s, index_t count) const = 0;
    virtual double cost_and_gradient(way w, shape const& s, batch_f const& b, vector_f const& theta,
                                     vector_f running, vector_f& gradient) const = 0;
    // A step and a forward pass, both ways.
    virtual support::training_comparison compared(shape const& s, batch_f const& b,
                                                  vector_f const& theta,
                                                  vector_f const& running) const = 0;
};
place const& host();    // host.cpp
place const* device();  // device.cpp; nullptr without one: no_device.cpp

template <class Space>
class trainer_in : public trainer {
public:
    using traits = support::space_traits<Space>;

    trainer_in(shape const& s, index_t batch, felt::sgd<float> o, vector_f const& running,
               sharing const& with)
        : net_(s, batch),
          optimiser_(traits::placed_state(std::move(o))),
          sum_(*with.ranks, optimiser_.x().size()),
          statistics_(with, batch) {
        net_.running() = traits::placed(running);
        if (!statistics_.is_synchronised()) return;
        net_.share(statistics_.images(), sum_statistics_);
    }

    double step(way w, batch_f const& b, felt::sgd_options const& o) override {
        lap_ = {};
        auto const& x = traits::placed(b.x);
        auto const& y = traits::placed(b.y);
        optimiser_.options(o);
        optimiser_.step([&](auto const& theta, auto& gradient) {
            return sum_(gradient, [&](support::summed<Space> sums) {
                auto const ready = [&](index_t from) {
                    if (sums.buckets != nullptr) sums.buckets->ready(from);
                };
                return net_.cost_and_gradient(w,
                                              {felt::view(x), felt::view(y), statistics_.images()},
                                              theta, gradient, ready);
            });
        });
        statistics_.average(net_.running());
        if (profile_ != nullptr) end_lap("update");
        return optimiser_.cost();
    }
    index_t iteration() const override { return optimiser_.iteration(); }
    vector_f theta() const override { return traits::fetched(optimiser_.x()); }
    vector_f running() const override { return traits::fetched(net_.running()); }
    matrix_f log_probabilities() const override {
        return traits::fetched(net_.log_probabilities());
    }
    felt::sgd<float> state() const override {
        return traits::fetched_state(felt::sgd<float, Space>(optimiser_));
    }
    felt::sgd<float> stop() override { return traits::fetched_state(std::move(optimiser_)); }
    bool is_interrupted() const override { return sum_.is_interrupted(); }
    felt::bucket_times sums() const override { return sum_.times(); }
    statistics_times statistics() const override { return statistics_.times(); }
    void watch(support::profile* to) override {
        profile_ = to;
        if (to == nullptr) net_.watch(nullptr);
        else net_.watch([this](std::string const& part) { end_lap(part); });
    }

private:
    void end_lap(std::string const& part) {
        traits::wait();
        profile_->add(part, lap_.seconds());
        lap_ = {};
    }

    net<float, Space> net_;
    felt::sgd<float, Space> optimiser_;
    support::step_sum<Space> sum_;
    statistics_sum<Space> statistics_;
    typename net<float, Space>::sum_over_parts sum_statistics_ = [this](auto& v) {
        statistics_.sum(v);
    };
    support::profile* profile_ = nullptr;
    support::stopwatch lap_;
};

template <class Space>
class reader_in : public reader {
public:
    using traits = support::space_traits<Space>;

    reader_in(shape const& s, index_t count)
        : net_(network<nn::basic_net<float, Space>>(s)), count_(count) {
        net_.prepare({count, 3, s.side, s.side});
    }

    void start(vector_f const& theta, vector_f const& running) override {
        net_.running() = traits::placed(running);
        deployed_ = net_.fold(traits::placed(theta));
    }
    index_t count() const override { return count_; }
    matrix_f logits(way w, batch_f const& b) override {
        net_.infer(w, traits::placed(b.x), deployed_);
        return traits::fetched(felt::Tensor<float, 2, Space>(net_.out().template as<2>()));
    }

private:
    nn::basic_net<float, Space> net_;
    nn::folded<float, Space> deployed_;
    index_t count_;
};

template <class Place, class Space>
class place_in : public Place {
public:
    using traits = support::space_traits<Space>;
    using vector = felt::Tensor<float, 1, Space>;

    std::unique_ptr<trainer> train(shape const& s, index_t batch, felt::sgd<float> o,
                                   vector_f const& running, sharing const& with) const override {
        return std::make_unique<trainer_in<Space>>(s, batch, std::move(o), running, with);
    }
    std::unique_ptr<reader> read(shape const& s, index_t count) const override {
        return std::make_unique<reader_in<Space>>(s, count);
    }
    double cost_and_gradient(way w, shape const& s, batch_f const& b, vector_f const& theta,
                             vector_f running, vector_f& gradient) const override {
        auto const& x = traits::placed(b.x);
        auto const& y = traits::placed(b.y);
        vector g(theta.extents());
        net<float, Space> n(s, b.x.extent(0));
        n.running() = traits::placed(running);
        double const cost =
            n.cost_and_gradient(w, {felt::view(x), felt::view(y)}, traits::placed(theta), g);
        gradient = traits::fetched(g);
        return cost;
    }
    support::training_comparison compared(shape const& s, batch_f const& b, vector_f const& theta,
                                          vector_f const& running) const override {
        support::training_comparison c;
        // Before anything runs unfused, for the memory that takes is kept.
        double const pass_peak = with_pass(s, b, theta, running, [](auto&& pass) {
            return support::peak_memory_of([&] { pass(felt::fused); });
        });
        double const step_peak = with_step(s, b, theta, running, [](auto&& step, auto&) {
            return support::peak_memory_of([&] { step(felt::fused); });
        });
        auto const compare = [](auto&& f, double budget, double peak) {
            support::comparison found =
                support::compare_in<Space>([&] { f(felt::fused); }, [&] { f(felt::unfused); },
                                           [](support::count_bytes) {}, budget);
            if (traits::knows_peak) found.fused.peak = peak;
            return found;
        };
        c.passes = with_pass(s, b, theta, running,
                             [&](auto&& pass) { return compare(pass, 1, pass_peak); });
        c.steps = with_step(s, b, theta, running, [&](auto&& step, vector& g) {
            double const fused = step(felt::fused);
            vector const own = g;
            double const unfused = step(felt::unfused);
            double const apart = support::distance<float>(traits::fetched(own), traits::fetched(g));
            c.difference = std::max(apart, std::abs(fused - unfused) / std::abs(unfused));
            return compare(step, 2, step_peak);
        });
        return c;
    }

private:
    // use(step, gradient): step(way) returns the cost. The network is there as long as that.
    template <class F>
    static auto with_step(shape const& s, batch_f const& b, vector_f const& theta,
                          vector_f const& running, F&& use) {
        auto const& x = traits::placed(b.x);
        auto const& y = traits::placed(b.y);
        auto const& at = traits::placed(theta);
        vector g(theta.extents());
        net<float, Space> n(s, b.x.extent(0));
        n.running() = traits::placed(running);
        batch<float, Space> const shown{felt::view(x), felt::view(y)};
        return use([&](way w) { return n.cost_and_gradient(w, shown, at, g); }, g);
    }
    template <class F>
    static auto with_pass(shape const& s, batch_f const& b, vector_f const& theta,
                          vector_f const& running, F&& use) {
        reader_in<Space> by(s, b.x.extent(0));
        by.start(theta, running);
        return use([&](way w) { by.logits(w, b); });
    }
};

}  // namespace resnet
