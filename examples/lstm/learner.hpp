// SPDX-License-Identifier: BSD-3-Clause
//
// The language model in one space, behind virtual functions: what is made of it is compiled once,
// and knows of tensors on the host alone.
#pragma once
#include <felt/nn/clip.hpp>
#include <felt/nn/sgd.hpp>
#include <lstm/made_batch.hpp>
#include <support/compare.hpp>
#include <support/profile.hpp>
#include <support/step_sum.hpp>
#include <memory>
#include <optional>

namespace lstm {

// Training: a step with a window of text, which goes on from the last one's state unless it is
// fresh.
class trainer {
public:
    virtual ~trainer() = default;
    virtual double step(batch_f const& b, bool fresh) = 0;  // the cost before it
    virtual index_t iteration() const = 0;
    virtual vector_f theta() const = 0;
    virtual bool is_interrupted() const = 0;
    virtual felt::bucket_times sums() const = 0;  // over ranks
    // Both bring the state back to where it came from; after stop() there are no more steps.
    virtual felt::sgd<float> state() = 0;
    virtual felt::sgd<float> stop() = 0;
};

// Reading, window after window, with parameters that stay.
class reader {
public:
    virtual ~reader() = default;
    virtual void start(vector_f const& theta) = 0;  // with a state of zeros
    virtual double cost(batch_f const& b) = 0;
    virtual felt::Tensor<float, 3> probabilities() const = 0;  // of the last window
};

class place : public support::place {
public:
    // Goes on with the optimiser and with the state of `from`, whose sizes these are: of several
    // ranks each has its part of the batch.
    virtual std::unique_ptr<trainer> train(shape const& s, index_t steps, index_t batch,
                                           double clip, net& from, felt::sgd<float> o,
                                           felt::communicator& ranks = felt::alone) const = 0;
    virtual std::unique_ptr<reader> read(shape const& s, index_t steps, index_t batch) const = 0;

    // A step and a forward pass, fused and unfused; and fused by stage, how often.
    virtual support::training_comparison compared(shape const& s, index_t steps,
                                                  index_t batch) const = 0;
    virtual double time_stages(support::profile& to, shape const& s, index_t steps,
                               index_t batch) const = 0;
};
place const& host();    // host.cpp
place const* device();  // device.cpp; nullptr without one: no_device.cpp

template <class Space>
class trainer_in : public trainer {
public:
    using traits = support::space_traits<Space>;
    using model_in = model<float, Space>;
    using vector = typename model_in::vector;

    trainer_in(shape const& s, index_t steps, index_t batch, double clip, net& from,
               felt::sgd<float> o, felt::communicator& ranks = felt::alone)
        : clip_(clip),
          from_(from),
          optimiser_(traits::placed_state(std::move(o))),
          sum_(ranks, s.parameters()) {
        if constexpr (!on_host) own_.emplace(s, steps, batch), copy_state(from_, *own_);
    }

    double step(batch_f const& b, bool fresh) override {
        if (fresh) here().reset();
        auto const& words = traits::placed(b.words);
        auto const& next = traits::placed(b.next);
        batch<Space> const shown{felt::view(words), felt::view(next), b.of};
        optimiser_.step([&](vector const& theta, vector& g) {
            double const cost = sum_(g, [&](support::summed<Space> how) {
                return here().cost_and_gradient(how, shown, theta, g);
            });
            felt::clip_by_norm(g, clip_);
            return cost;
        });
        here().carry();
        return optimiser_.cost();
    }
    index_t iteration() const override { return optimiser_.iteration(); }
    vector_f theta() const override { return traits::fetched(optimiser_.x()); }
    bool is_interrupted() const override { return sum_.is_interrupted(); }
    felt::bucket_times sums() const override { return sum_.times(); }
    felt::sgd<float> state() override {
        if constexpr (!on_host) copy_state(*own_, from_);
        return traits::fetched_state(felt::sgd<float, Space>(optimiser_));
    }
    felt::sgd<float> stop() override {
        if constexpr (!on_host) copy_state(*own_, from_);
        return traits::fetched_state(std::move(optimiser_));
    }

private:
    static constexpr bool on_host = std::is_same_v<Space, felt::Host>;

    model_in& here() {
        if constexpr (on_host) return from_;
        else return *own_;
    }
    template <class From, class To>
    static void copy_state(From& from, To& to) {
        using part = decltype(std::declval<felt::lstm<float, typename From::space>&>().first());
        std::vector<part> parts;
        from.each_state([&](std::string const&, auto const& p) { parts.push_back(p); });
        auto next = parts.begin();
        to.each_state([&](std::string const&, auto const& p) { traits::copy(p, *next++); });
    }

    double clip_;
    net& from_;
    std::optional<model_in> own_;
    felt::sgd<float, Space> optimiser_;
    support::step_sum<Space> sum_;
};

template <class Space>
class reader_in : public reader {
public:
    using traits = support::space_traits<Space>;

    reader_in(shape const& s, index_t steps, index_t batch) : model_(s, steps, batch) {}

    void start(vector_f const& theta) override {
        theta_ = traits::placed(theta);
        model_.reset();
    }
    double cost(batch_f const& b) override {
        auto const& words = traits::placed(b.words);
        auto const& next = traits::placed(b.next);
        batch<Space> const shown{felt::view(words), felt::view(next), b.of};
        double const found = model_.cost(felt::fused, shown, theta_);
        model_.carry();
        return found;
    }
    felt::Tensor<float, 3> probabilities() const override {
        return traits::fetched(model_.probabilities());
    }

private:
    model<float, Space> model_;
    felt::Tensor<float, 1, Space> theta_;
};

// Any words, for measurements, in a space.
template <class Space>
struct made_in {
    made_batch any;
    felt::Tensor<int, 2, Space> words, next;

    made_in(shape const& s, index_t steps, index_t batch)
        : any(s, steps, batch),
          words(support::space_traits<Space>::placed(any.words)),
          next(support::space_traits<Space>::placed(any.next)) {}
    batch<Space> view() const { return {felt::view(words), felt::view(next)}; }
};

template <class Place, class Space>
class place_in : public Place {
public:
    using traits = support::space_traits<Space>;
    using model_in = model<float, Space>;
    using vector = typename model_in::vector;

    std::unique_ptr<trainer> train(shape const& s, index_t steps, index_t batch, double clip,
                                   net& from, felt::sgd<float> o,
                                   felt::communicator& ranks) const override {
        return std::make_unique<trainer_in<Space>>(s, steps, batch, clip, from, std::move(o),
                                                   ranks);
    }
    std::unique_ptr<reader> read(shape const& s, index_t steps, index_t batch) const override {
        return std::make_unique<reader_in<Space>>(s, steps, batch);
    }
    support::training_comparison compared(shape const& s, index_t steps,
                                          index_t batch) const override {
        made_in<Space> const any(s, steps, batch);
        vector const theta = model_in::initial_parameters(s, 1);
        model_in m(s, steps, batch);
        return support::compare_training(
            theta,
            [&](auto way, vector& g) {
                m.reset();
                return m.cost_and_gradient(way, any.view(), theta, g);
            },
            [&](auto way) {
                m.reset();
                m.cost(way, any.view(), theta);
            });
    }
    double time_stages(support::profile& to, shape const& s, index_t steps,
                       index_t batch) const override {
        made_in<Space> const any(s, steps, batch);
        vector const theta = model_in::initial_parameters(s, 1);
        vector g(theta.extents());
        model_in m(s, steps, batch);
        return support::repeated(to, [&](support::profile& p) {
            m.reset();
            std::optional<support::space_watch<Space>> watch(std::in_place);
            m.watch([&](char const* stage) {
                p.add(stage, watch->seconds());
                if (watch->transferred() > 0) p.add("transfers", watch->transferred());
                watch.emplace();
            });
            m.cost_and_gradient(felt::fused, any.view(), theta, g);
        });
    }
};

}  // namespace lstm
