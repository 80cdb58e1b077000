// SPDX-License-Identifier: BSD-3-Clause
//
// Forward passes of the trial network, and the bytes of its steps.
#include <cnn/instances.hpp>

namespace cnn {

template struct passes<trial_rows, felt::fused_t>;
template struct passes<trial_rows, felt::unfused_t>;
template struct passes<trial_rows, support::count_bytes>;
template struct passes<trial_rows, support::laps>;
template struct passes<trial_last, felt::fused_t>;
template struct passes<trial_last, felt::unfused_t>;
template struct passes<trial_last, support::count_bytes>;
template struct passes<trial_last, support::laps>;
template struct steps<trial_rows, support::count_bytes>;
template struct steps<trial_last, support::count_bytes>;

}  // namespace cnn
