// SPDX-License-Identifier: BSD-3-Clause
//
// Networks on the device. Parameters and the optimiser's state stay there; images of a batch go
// there in each step.
#include <support/device.hpp>
#include <resnet/learner.hpp>

resnet::place const* resnet::device() {
    static place_in<support::on_device<place>, felt::Device> const d;
    return &d;
}
