// SPDX-License-Identifier: BSD-3-Clause
//
// In the place of device.cpp, where the device is not built (FELT_DEVICE).
#include <ae/trainer.hpp>

ae::place const* ae::device() { return nullptr; }
