// SPDX-License-Identifier: BSD-3-Clause
//
// A network in float in one space, behind virtual functions, so that training, reports and profiles
// are compiled once: they know of tensors on the host alone.
#pragma once
#include <cnn/net.hpp>
#include <cnn/steps.hpp>
#include <support/compare.hpp>
#include <support/profile.hpp>
#include <memory>

namespace cnn {

using images_view = felt::View<float const, 4>;
using labels_view = felt::View<index_t, 1>;

// How statements are run.
using way = nn::mode;

// A training run as it goes on.
class stepper {
public:
    virtual ~stepper() = default;
    virtual double step() = 0;  // the cost of its batch, before it
    virtual index_t iteration() const = 0;
    virtual vector_f theta() const = 0;
    virtual optimiser<> state() const = 0;
    virtual optimiser<> stop() = 0;  // there are no more steps
    virtual bool is_interrupted() const = 0;
    virtual felt::bucket_times sums() const = 0;  // over ranks
};

class learner {
public:
    virtual ~learner() = default;
    virtual vector_f initial_parameters(std::uint64_t seed) const = 0;
    virtual double cost_and_gradient(way, batch<float> const&, vector_f const&, vector_f&) = 0;
    virtual void classify(way, images_view const&, vector_f const&, labels_view) = 0;

    // Goes on where the optimiser stands. The images and what they show outlive the run.
    virtual std::unique_ptr<stepper> train(course const&, felt::Tensor<float, 4> const& x,
                                           felt::Tensor<index_t, 1> const& y, optimiser<>) = 0;

    // A step and a forward pass at theta, both ways; and fused by block, how often.
    virtual support::training_comparison compared(batch<float> const&, vector_f const&) = 0;
    virtual double time_blocks(support::profile&, batch<float> const&, vector_f const&) = 0;

    // Where the parts of theta lie; the first are the weights of the first layer.
    virtual felt::parameter_list const& parameters() const = 0;
};

class place : public support::place {
public:
    virtual std::unique_ptr<learner> network(setting const&) const = 0;
};
place const& host();    // host.cpp
place const* device();  // device.cpp; nullptr without one: no_device.cpp

template <class Space>
class stepper_in : public stepper {
public:
    using traits = support::space_traits<Space>;

    stepper_in(net<float, Space>& n, course const& c, felt::Tensor<float, 4> const& x,
               felt::Tensor<index_t, 1> const& y, optimiser<> o)
        : net_(n),
          c_(c),
          x_(traits::placed(x)),
          y_(traits::placed(y)),
          next_(c, x_, y_),
          optimiser_(placed(o)),
          sum_(*c.ranks, theta_of<Space>(optimiser_).size()) {}

    double step() override {
        auto const b = next_.next(iteration());
        return make_step<Space>(c_, optimiser_, [&](auto const& theta, auto& g) {
            return sum_(g, [&](support::summed<Space> sums) {
                auto const ready = [&](index_t from) {
                    if (sums.buckets != nullptr) sums.buckets->ready(from);
                };
                return net_.cost_and_gradient(felt::fused, b, theta, g, ready);
            });
        });
    }
    index_t iteration() const override { return iteration_of<Space>(optimiser_); }
    vector_f theta() const override { return traits::fetched(theta_of<Space>(optimiser_)); }
    optimiser<> state() const override { return fetched(optimiser<Space>(optimiser_)); }
    optimiser<> stop() override { return fetched(std::move(optimiser_)); }
    bool is_interrupted() const override { return sum_.is_interrupted(); }
    felt::bucket_times sums() const override { return sum_.times(); }

private:
    template <class X>
    using placed_type = decltype(traits::placed(std::declval<X const&>()));  // on the host X const&

    static optimiser<Space> placed(optimiser<>& o) {
        return std::visit(
            [](auto& own) -> optimiser<Space> { return traits::placed_state(std::move(own)); }, o);
    }
    static optimiser<> fetched(optimiser<Space>&& o) {
        return std::visit(
            [](auto& own) -> optimiser<> { return traits::fetched_state(std::move(own)); }, o);
    }

    net<float, Space>& net_;
    course const& c_;
    placed_type<felt::Tensor<float, 4>> x_;
    placed_type<felt::Tensor<index_t, 1>> y_;
    batches<Space> next_;
    optimiser<Space> optimiser_;
    support::step_sum<Space> sum_;
};

template <class Space>
class learner_in : public learner {
public:
    using traits = support::space_traits<Space>;
    using vector = felt::Tensor<float, 1, Space>;

    template <class Shape>
    learner_in(Shape const& s, index_t count) : net_(s, count) {}

    vector_f initial_parameters(std::uint64_t seed) const override {
        return net_.layers().template initial<felt::Host>(seed);
    }
    double cost_and_gradient(way w, batch<float> const& b, vector_f const& theta,
                             vector_f& gradient) override {
        vector g(theta.extents());
        double const cost = placed(b, theta, [&](auto const& shown, vector const& at) {
            return net_.cost_and_gradient(w, shown, at, g);
        });
        gradient = traits::fetched(g);
        return cost;
    }
    void classify(way w, images_view const& x, vector_f const& theta, labels_view y) override {
        auto const& images = traits::placed(x);
        felt::Tensor<index_t, 1, Space> said(y.extents());
        net_.classify(w, felt::view(images), traits::placed(theta), felt::view(said));
        y = traits::fetched(said);
    }
    std::unique_ptr<stepper> train(course const& c, felt::Tensor<float, 4> const& x,
                                   felt::Tensor<index_t, 1> const& y, optimiser<> o) override {
        return std::make_unique<stepper_in<Space>>(net_, c, x, y, std::move(o));
    }

    support::training_comparison compared(batch<float> const& b, vector_f const& theta) override {
        felt::Tensor<index_t, 1, Space> said(b.y.extents());
        return placed(b, theta, [&](auto const& shown, vector const& at) {
            return support::compare_training(
                at, [&](way w, vector& g) { return net_.cost_and_gradient(w, shown, at, g); },
                [&](way w) { net_.classify(w, shown.x, at, felt::view(said)); });
        });
    }
    double time_blocks(support::profile& to, batch<float> const& b,
                       vector_f const& theta) override {
        vector g(theta.extents());
        return placed(b, theta, [&](auto const& shown, vector const& at) {
            return support::repeated(to, [&](support::profile& p) {
                support::space_watch<Space> const all;
                watch(p);
                net_.cost_and_gradient(felt::fused, shown, at, g);
                net_.layers().watch({});
                if (all.transferred() > 0) p.add("transfers", all.transferred());
            });
        });
    }
    felt::parameter_list const& parameters() const override { return net_.layers().parameters(); }

private:
    // f(b, theta) of what lies in this space.
    template <class F>
    static auto placed(batch<float> const& b, vector_f const& theta, F&& f) {
        auto const& x = traits::placed(b.x);
        auto const& y = traits::placed(b.y);
        batch<float, Space> const shown{felt::view(x), felt::view(y), b.draw, b.first, b.of};
        return f(shown, traits::placed(theta));
    }
    // From here on blocks add what they take to p.
    void watch(support::profile& p) {
        net_.layers().watch([&p, names = net_.layers().texts(), lap = support::stopwatch()](
                                std::string const& pass, std::size_t k) mutable {
            traits::wait();
            p.add(pass + " " + std::to_string(k + 1) + ", " + names[k], lap.seconds());
            lap = {};
        });
    }

    net<float, Space> net_;
};

template <class Place, class Space>
class place_in : public Place {
public:
    std::unique_ptr<learner> network(setting const& s) const override {
        using made = learner_in<Space>;
        if (s.network == "softmax") return std::make_unique<made>(softmax_shape{}, s.batch);
        if (s.network == "trial") return std::make_unique<made>(trial_shape{}, s.batch);
        study_shape shape;
        shape.filters = s.filters;
        return std::make_unique<made>(shape, s.batch);
    }
};

}  // namespace cnn
