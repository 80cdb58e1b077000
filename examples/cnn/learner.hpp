// SPDX-License-Identifier: BSD-3-Clause
//
// A network in float in one space, behind virtual functions, so that training, reports and profiles
// are compiled once: they know of tensors on the host alone.
#pragma once
#include <cnn/steps.hpp>
#include <felt/npz_arrays.hpp>
#include <support/compare.hpp>
#include <support/profile.hpp>
#include <memory>
#include <span>

namespace cnn {

using images_view = felt::View<float const, 4>;
using labels_view = felt::View<index_t, 1>;

// How statements are run.
using way = std::variant<felt::fused_t, felt::unfused_t, support::count_bytes, support::laps>;

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
    virtual void classify(way, images_view const&, vector_f const&, labels_view) const = 0;
    virtual std::span<char const* const> stages() const = 0;

    // Goes on where the optimiser stands. The images and what they show outlive the run.
    virtual std::unique_ptr<stepper> train(course const&, felt::Tensor<float, 4> const& x,
                                           felt::Tensor<index_t, 1> const& y, optimiser<>) = 0;

    // A step and a forward pass at theta, both ways; and fused by stage, how often.
    virtual support::training_comparison compared(batch<float> const&, vector_f const&) = 0;
    virtual double time_stages(support::profile&, batch<float> const&, vector_f const&) = 0;

    // theta's parts by their names, and a view of its first layer's weights (filters, 1, h, w).
    virtual felt::npz parameters(vector_f const&) const = 0;
    virtual felt::View<float, 4> filters(vector_f&) const = 0;
};

class place : public support::place {
public:
    virtual std::unique_ptr<learner> network(setting const&) const = 0;
};
place const& host();    // networks.cpp
place const* device();  // device.cpp; nullptr without one: no_device.cpp

// A network's statements, run in one way: what is instantiated in a file of its own. (Not inline:
// that is compiled wherever it is called.)
template <class Net, class How>
struct steps {
    using vector = typename Net::vector;
    static double run(How, Net&, batch<float, typename Net::space> const&, vector const& theta,
                      vector& gradient);
};
template <class Net, class How>
struct passes {
    using space = typename Net::space;
    static void run(How, Net const&, felt::View<float const, 4, space> const&,
                    typename Net::vector const& theta, felt::View<index_t, 1, space>);
};

template <class Net, class How>
double steps<Net, How>::run(How how, Net& net, batch<float, typename Net::space> const& b,
                            vector const& theta, vector& gradient) {
    return net.cost_and_gradient(how, b, theta, gradient);
}
template <class Net, class How>
void passes<Net, How>::run(How how, Net const& net, felt::View<float const, 4, space> const& x,
                           typename Net::vector const& theta, felt::View<index_t, 1, space> y) {
    net.classify(how, x, theta, y);
}

template <class Net>
class stepper_of : public stepper {
public:
    using space = typename Net::space;
    using traits = support::space_traits<space>;

    stepper_of(Net& net, course const& c, felt::Tensor<float, 4, space> const& x,
               felt::Tensor<index_t, 1, space> const& y, optimiser<space> o)
        : net_(net),
          c_(c),
          next_(c, x, y),
          optimiser_(std::move(o)),
          sum_(*c.ranks, theta_of<space>(optimiser_).size()) {}

    double step() override {
        auto const b = next_.next(iteration());
        return make_step<space>(c_, optimiser_, [&](auto const& theta, auto& g) {
            return sum_(g, [&](support::summed<space> how) {
                return steps<Net, support::summed<space>>::run(how, net_, b, theta, g);
            });
        });
    }
    index_t iteration() const override { return iteration_of<space>(optimiser_); }
    vector_f theta() const override { return traits::fetched(theta_of<space>(optimiser_)); }
    optimiser<> state() const override { return fetched(optimiser<space>(optimiser_)); }
    optimiser<> stop() override { return fetched(std::move(optimiser_)); }
    bool is_interrupted() const override { return sum_.is_interrupted(); }
    felt::bucket_times sums() const override { return sum_.times(); }

private:
    static optimiser<> fetched(optimiser<space>&& from) {
        return std::visit(
            [](auto& o) -> optimiser<> { return traits::fetched_state(std::move(o)); }, from);
    }

    Net& net_;
    course const& c_;
    batches<space> next_;
    optimiser<space> optimiser_;
    support::step_sum<space> sum_;
};

// Here is the same network on the host.
template <class Net, class Here = Net>
class learner_of : public learner {
public:
    using space = typename Net::space;
    using traits = support::space_traits<space>;
    using vector = typename Net::vector;

    learner_of(typename Net::shape const& s, index_t batch) : shape_(s), net_(s, batch) {}

    vector_f initial_parameters(std::uint64_t seed) const override {
        return Here::initial_parameters(here_, seed);
    }
    double cost_and_gradient(way w, batch<float> const& b, vector_f const& theta,
                             vector_f& gradient) override {
        vector g(theta.extents());
        auto const& x = traits::placed(b.x);
        auto const& y = traits::placed(b.y);
        double const cost =
            step(w, {felt::view(x), felt::view(y), b.draw}, traits::placed(theta), g);
        gradient = traits::fetched(g);
        return cost;
    }
    void classify(way w, images_view const& x, vector_f const& theta,
                  labels_view y) const override {
        auto const& images = traits::placed(x);
        felt::Tensor<index_t, 1, space> said(y.extents());
        pass(w, felt::view(images), traits::placed(theta), felt::view(said));
        y = traits::fetched(said);
    }
    std::span<char const* const> stages() const override { return Net::stages; }

    support::training_comparison compared(batch<float> const& b, vector_f const& theta) override {
        auto const& x = traits::placed(b.x);
        auto const& y = traits::placed(b.y);
        auto const& at = traits::placed(theta);
        felt::Tensor<index_t, 1, space> said(b.y.extents());
        batch<float, space> const shown{felt::view(x), felt::view(y), b.draw};
        return support::compare_training(
            at, [&](way w, vector& g) { return step(w, shown, at, g); },
            [&](way w) { pass(w, shown.x, at, felt::view(said)); });
    }
    double time_stages(support::profile& to, batch<float> const& b,
                       vector_f const& theta) override {
        auto const& x = traits::placed(b.x);
        auto const& y = traits::placed(b.y);
        auto const& at = traits::placed(theta);
        vector g(theta.extents());
        batch<float, space> const shown{felt::view(x), felt::view(y), b.draw};
        return support::repeated(to, [&](support::profile& p) {
            support::time_laps<space>(p, Net::stages,
                                      [&](support::laps how) { step(how, shown, at, g); });
        });
    }

    felt::npz parameters(vector_f const& theta) const override {
        felt::npz file;
        Here::parts_of(theta.data(), here_).each([&](char const* name, auto const& part) {
            file.put(name, part);
        });
        return file;
    }
    felt::View<float, 4> filters(vector_f& theta) const override {
        return Here::parts_of(theta.data(), here_).filters();
    }

protected:
    double step(way w, batch<float, space> const& b, vector const& theta, vector& gradient) {
        return in_way(w, [&]<class How>(How how) {
            return steps<Net, How>::run(how, net_, b, theta, gradient);
        });
    }
    void pass(way w, felt::View<float const, 4, space> const& x, vector const& theta,
              felt::View<index_t, 1, space> y) const {
        in_way(w, [&]<class How>(How how) {
            if constexpr (!std::is_same_v<How, support::laps>) {
                passes<Net, How>::run(how, net_, x, theta, y);
            }
            return 0.;
        });
    }

    typename Net::shape shape_;
    Net net_;

private:
    // Bytes are those of a plan: a space that does not follow it is not asked.
    template <class F>
    static double in_way(way w, F&& f) {
        return std::visit(
            [&]<class How>(How how) {
                constexpr bool counts = std::is_same_v<How, support::count_bytes>;
                if constexpr (counts && !traits::knows_bytes) return 0.;
                else return f(how);
            },
            w);
    }

    typename Here::shape here_ = shape_;
};

}  // namespace cnn
