// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of the networks in float, compiled in files of their own so that they compile side
// by side; in double, compiled in check.cpp.
#pragma once
#include <resnet/learner.hpp>

namespace resnet {

extern template nn::basic_net<float> network(shape const&);
extern template nn::basic_net<double> network(shape const&);

}  // namespace resnet
