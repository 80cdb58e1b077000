// SPDX-License-Identifier: BSD-3-Clause
//
// The trial network, fused.
#include <cnn/instances.hpp>

namespace cnn {

template struct loops<trial_rows, felt::fused_t>;
template struct loops<trial_rows, support::count_bytes>;
template struct loops<trial_rows, support::laps>;
template struct loops<trial_last, felt::fused_t>;
template struct loops<trial_last, support::count_bytes>;
template struct loops<trial_last, support::laps>;

}  // namespace cnn
