// SPDX-License-Identifier: BSD-3-Clause
//
// The layers of a network on the device, both ways.
#include <felt/distributed/device_buckets.hpp>
#include <support/device.hpp>
#include <resnet/network.hpp>

namespace resnet {

template nn::basic_net<float, felt::Device> network(shape const&);

}  // namespace resnet
