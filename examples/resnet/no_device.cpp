// SPDX-License-Identifier: BSD-3-Clause
//
// In the place of device.cpp, where Thrust was not found.
#include <resnet/learner.hpp>

resnet::place const* resnet::device() { return nullptr; }
