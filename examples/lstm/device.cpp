// SPDX-License-Identifier: BSD-3-Clause
//
// The language model on the device. The words of a window go there in each step; probabilities come
// back where the model writes.
#include <felt/distributed/device_buckets.hpp>
#include <support/device.hpp>
#include <lstm/learner.hpp>

lstm::place const* lstm::device() {
    static place_in<support::on_device<place>, felt::Device> const d;
    return &d;
}
