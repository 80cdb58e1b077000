// SPDX-License-Identifier: BSD-3-Clause
//
// Training steps on the device, fused.
#include <felt/distributed/device_buckets.hpp>
#include <support/device.hpp>
#include <resnet/learner.hpp>

namespace resnet {

template struct steps<felt::Device, felt::fused_t>;

}  // namespace resnet
