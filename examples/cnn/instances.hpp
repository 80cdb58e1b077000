// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of the networks in float, compiled in a file of their own; of the study's in double,
// compiled in check.cpp.
#pragma once
#include <cnn/models.hpp>

namespace cnn {

extern template nn::net network(study_shape const&);
extern template nn::net network(trial_shape const&);
extern template nn::net network(softmax_shape const&);
extern template nn::basic_net<double> network(study_shape const&);

}  // namespace cnn
