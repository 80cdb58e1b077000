// SPDX-License-Identifier: BSD-3-Clause
//
// In the place of device.cpp, where Thrust was not found.
#include <lstm/learner.hpp>

lstm::place const* lstm::device() { return nullptr; }
