// SPDX-License-Identifier: BSD-3-Clause
//
// In the place of device.cpp, where Thrust was not found.
#include <cnn/learner.hpp>

cnn::place const* cnn::device() { return nullptr; }
