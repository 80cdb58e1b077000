// SPDX-License-Identifier: BSD-3-Clause
//
// In the place of device.cpp, where Thrust was not found.
#include <ae/trainer.hpp>

ae::place const* ae::device() { return nullptr; }
