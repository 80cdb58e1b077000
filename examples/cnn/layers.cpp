// SPDX-License-Identifier: BSD-3-Clause
//
// The layers of the networks, both ways.
#include <cnn/instances.hpp>

namespace cnn {

template nn::net network(study_shape const&);
template nn::net network(trial_shape const&);
template nn::net network(softmax_shape const&);

}  // namespace cnn
