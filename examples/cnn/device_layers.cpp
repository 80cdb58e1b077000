// SPDX-License-Identifier: BSD-3-Clause
//
// The layers of the networks on the device, both ways.
#include <felt/distributed/device_buckets.hpp>
#include <support/device.hpp>
#include <cnn/models.hpp>

namespace cnn {

using device_net = nn::basic_net<float, felt::Device>;

template device_net network(study_shape const&);
template device_net network(trial_shape const&);
template device_net network(softmax_shape const&);

}  // namespace cnn
