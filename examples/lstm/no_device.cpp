// SPDX-License-Identifier: BSD-3-Clause
//
// In the place of device.cpp, where the device is not built (FELT_DEVICE).
#include <lstm/learner.hpp>

lstm::place const* lstm::device() { return nullptr; }
