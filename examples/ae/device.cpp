// SPDX-License-Identifier: BSD-3-Clause
//
// Training on the device. Samples go there once, parameters come back at the end.
#include <felt/distributed/device_buckets.hpp>
#include <support/device.hpp>
#include <ae/trainer.hpp>

namespace ae {

namespace {

struct device_place : support::on_device<place> {
    std::unique_ptr<trainer> train(shape const& s, matrix_f x, felt::lbfgs<float> from,
                                   felt::communicator& ranks, index_t all_samples) const override {
        return std::make_unique<trainer_in<felt::Device>>(s, felt::to<felt::Device>(x),
                                                          std::move(from), ranks, all_samples);
    }
};

}  // namespace

place const* device() {
    static device_place const d;
    return &d;
}

}  // namespace ae
