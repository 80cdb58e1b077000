// SPDX-License-Identifier: BSD-3-Clause
//
// In the place of device.cpp, where the device is not built (FELT_DEVICE).
#include <fista/trainer.hpp>

fista::place const* fista::device() { return nullptr; }
