// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of the networks in float, compiled in a file of their own.
#pragma once
#include <cnn/models.hpp>

namespace cnn {

extern template nn::net network(study_shape const&);
extern template nn::net network(trial_shape const&);
extern template nn::net network(softmax_shape const&);

}  // namespace cnn
