// SPDX-License-Identifier: BSD-3-Clause
//
// Networks on the device. All images go there once, in every epoch their order; those to test on go
// when they are asked for.
#include <felt/distributed/device_buckets.hpp>
#include <support/device.hpp>
#include <cnn/learner.hpp>

namespace cnn {

using device_net = nn::basic_net<float, felt::Device>;

extern template device_net network(study_shape const&);
extern template device_net network(trial_shape const&);
extern template device_net network(softmax_shape const&);

place const* device() {
    static place_in<support::on_device<place>, felt::Device> const d;
    return &d;
}

}  // namespace cnn
