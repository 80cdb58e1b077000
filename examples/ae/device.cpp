// SPDX-License-Identifier: BSD-3-Clause
//
// Training on the device. Samples go there once, parameters come back at the end.
#include <support/device.hpp>
#include <ae/trainer.hpp>

namespace ae {

namespace {

using felt::Device;

struct device_trainer : trainer_in<Device> {
    device_trainer(shape const& s, matrix_f const& x, felt::lbfgs<float> from)
        : trainer_in(s, felt::to<Device>(x), optimiser(felt::to<Device>(from.x()))) {
        support::hand_over(from, optimiser_);
    }
    felt::lbfgs<float> stop() override {
        auto there = stopped();
        felt::lbfgs<float> here(felt::to<felt::Host>(there.x()));
        support::hand_over(there, here);
        return here;
    }
};

struct device_place : support::on_device<place> {
    std::unique_ptr<trainer> train(shape const& s, matrix_f x,
                                   felt::lbfgs<float> from) const override {
        return std::make_unique<device_trainer>(s, x, std::move(from));
    }
};

}  // namespace

place const* device() {
    static device_place const d;
    return &d;
}

}  // namespace ae
