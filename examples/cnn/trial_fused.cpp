// SPDX-License-Identifier: BSD-3-Clause
//
// Training steps of the trial network, fused.
#include <cnn/instances.hpp>

namespace cnn {

template struct steps<trial_rows, felt::fused_t>;
template struct steps<trial_rows, support::summed<felt::Host>>;
template struct steps<trial_rows, support::laps>;
template struct steps<trial_last, felt::fused_t>;
template struct steps<trial_last, support::summed<felt::Host>>;
template struct steps<trial_last, support::laps>;

}  // namespace cnn
