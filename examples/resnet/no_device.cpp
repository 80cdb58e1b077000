// SPDX-License-Identifier: BSD-3-Clause
//
// In the place of device.cpp, where the device is not built (FELT_DEVICE).
#include <resnet/learner.hpp>

resnet::place const* resnet::device() { return nullptr; }
