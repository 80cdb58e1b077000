// SPDX-License-Identifier: BSD-3-Clause
//
// Networks on the device, and how they answer. Parameters and the optimiser's state stay there;
// images of a batch go there in each step.
#include <felt/distributed/device_buckets.hpp>
#include <support/device.hpp>
#include <resnet/learner.hpp>

namespace resnet {

extern template nn::basic_net<float, felt::Device> network(shape const&);

place const* device() {
    static place_in<support::on_device<place>, felt::Device> const d;
    return &d;
}

}  // namespace resnet
