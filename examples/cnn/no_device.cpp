// SPDX-License-Identifier: BSD-3-Clause
//
// In the place of device.cpp, where the device is not built (FELT_DEVICE).
#include <cnn/learner.hpp>

cnn::place const* cnn::device() { return nullptr; }
