// SPDX-License-Identifier: BSD-3-Clause
//
// A network behind virtual functions, so that training, reports and profiles are compiled once:
// float, on the host.
#pragma once
#include <cnn/batch.hpp>
#include <cnn/setting.hpp>
#include <felt/npz_arrays.hpp>
#include <support/compare.hpp>
#include <support/profile.hpp>
#include <memory>
#include <span>
#include <variant>

namespace cnn {

using vector_f = felt::Tensor<float, 1>;
using images_view = felt::View<float const, 4>;
using labels_view = felt::View<index_t, 1>;

// How statements are run.
using way = std::variant<felt::fused_t, felt::unfused_t, support::count_bytes, support::laps>;

class learner {
public:
    virtual ~learner() = default;
    virtual vector_f initial_parameters(std::uint64_t seed) const = 0;
    virtual double cost_and_gradient(way, batch<float> const&, vector_f const&, vector_f&) = 0;
    virtual void classify(way, images_view const&, vector_f const&, labels_view) const = 0;
    virtual std::span<char const* const> stages() const = 0;

    // theta's parts by their names, and a view of its first layer's weights (filters, 1, h, w).
    virtual felt::npz parameters(vector_f const&) const = 0;
    virtual felt::View<float, 4> filters(vector_f&) const = 0;
};

std::unique_ptr<learner> make_learner(setting const&);  // networks.cpp

// A network's statements, run in one way: what is instantiated in a file of its own. (Not inline:
// that is compiled wherever it is called.)
template <class Net, class How>
struct steps {
    static double run(How, Net&, batch<float> const&, vector_f const& theta, vector_f& gradient);
};
template <class Net, class How>
struct passes {
    static void run(How, Net const&, images_view const&, vector_f const& theta, labels_view);
};

template <class Net, class How>
double steps<Net, How>::run(How how, Net& net, batch<float> const& b, vector_f const& theta,
                            vector_f& gradient) {
    return net.cost_and_gradient(how, b, theta, gradient);
}
template <class Net, class How>
void passes<Net, How>::run(How how, Net const& net, images_view const& x, vector_f const& theta,
                           labels_view y) {
    net.classify(how, x, theta, y);
}

template <class Net>
class learner_of : public learner {
public:
    learner_of(typename Net::shape const& s, index_t batch) : shape_(s), net_(s, batch) {}

    vector_f initial_parameters(std::uint64_t seed) const override {
        return Net::initial_parameters(shape_, seed);
    }
    double cost_and_gradient(way w, batch<float> const& b, vector_f const& theta,
                             vector_f& gradient) override {
        return std::visit(
            [&]<class How>(How how) { return steps<Net, How>::run(how, net_, b, theta, gradient); },
            w);
    }
    void classify(way w, images_view const& x, vector_f const& theta,
                  labels_view y) const override {
        std::visit([&]<class How>(How how) { passes<Net, How>::run(how, net_, x, theta, y); }, w);
    }
    std::span<char const* const> stages() const override { return Net::stages; }

    felt::npz parameters(vector_f const& theta) const override {
        felt::npz file;
        Net::parts_of(theta.data(), shape_).each([&](char const* name, auto const& part) {
            file.put(name, part);
        });
        return file;
    }
    felt::View<float, 4> filters(vector_f& theta) const override {
        return Net::parts_of(theta.data(), shape_).filters();
    }

private:
    typename Net::shape shape_;
    Net net_;
};

}  // namespace cnn
