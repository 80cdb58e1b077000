// SPDX-License-Identifier: BSD-3-Clause
//
// The networks on the device. All images go there once, in every epoch their order; those to test
// on go when they are asked for.
#include <felt/distributed/device_buckets.hpp>
#include <support/device.hpp>
#include <cnn/learner.hpp>
#include <cnn/softmax.hpp>
#include <cnn/study.hpp>
#include <cnn/trial.hpp>

namespace cnn {

namespace {

using felt::Device, felt::Host;

template <class Net>
class device_stepper : public stepper {
public:
    device_stepper(Net& net, course const& c, felt::Tensor<float, 4> const& x,
                   felt::Tensor<index_t, 1> const& y, optimiser<> o)
        : x_(felt::to<Device>(x)), y_(felt::to<Device>(y)), own_(net, c, x_, y_, placed(o)) {}

    double step() override { return own_.step(); }
    index_t iteration() const override { return own_.iteration(); }
    vector_f theta() const override { return own_.theta(); }
    optimiser<> state() const override { return own_.state(); }
    optimiser<> stop() override { return own_.stop(); }
    bool is_interrupted() const override { return own_.is_interrupted(); }
    felt::bucket_times sums() const override { return own_.sums(); }

private:
    static optimiser<Device> placed(optimiser<>& o) {
        return std::visit(
            [](auto& own) -> optimiser<Device> {
                return support::space_traits<Device>::placed_state(std::move(own));
            },
            o);
    }

    felt::Tensor<float, 4, Device> x_;
    felt::Tensor<index_t, 1, Device> y_;
    stepper_of<Net> own_;
};

template <class Net, class Here>
struct device_learner : learner_of<Net, Here> {
    using learner_of<Net, Here>::learner_of;

    std::unique_ptr<stepper> train(course const& c, felt::Tensor<float, 4> const& x,
                                   felt::Tensor<index_t, 1> const& y, optimiser<> o) override {
        return std::make_unique<device_stepper<Net>>(this->net_, c, x, y, std::move(o));
    }
};

template <class Layout>
std::unique_ptr<learner> network_in(setting const& s) {
    if (s.network == "trial") {
        using net = trial<float, Device, Layout>;
        return std::make_unique<device_learner<net, trial<float, Host, Layout>>>(trial_shape{},
                                                                                 s.batch);
    }
    study_shape shape;
    shape.filters = s.filters;
    using net = study<float, Device, Layout>;
    return std::make_unique<device_learner<net, study<float, Host, Layout>>>(shape, s.batch);
}

struct device_place : support::on_device<place> {
    std::unique_ptr<learner> network(setting const& s) const override {
        if (s.network == "softmax") {
            using net = softmax_regression<float, Device>;
            return std::make_unique<device_learner<net, softmax_regression<float>>>(softmax_shape{},
                                                                                    s.batch);
        }
        if (s.layout == "rows") return network_in<felt::RowMajor>(s);
        return network_in<felt::ChannelsLast>(s);
    }
};

}  // namespace

place const* device() {
    static device_place const d;
    return &d;
}

}  // namespace cnn
