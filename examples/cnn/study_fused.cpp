// SPDX-License-Identifier: BSD-3-Clause
//
// The study's network, fused.
#include <cnn/instances.hpp>

namespace cnn {

template struct steps<study_rows, felt::fused_t>;
template struct steps<study_rows, support::summed<felt::Host>>;
template struct steps<study_rows, support::count_bytes>;
template struct steps<study_rows, support::laps>;
template struct steps<study_last, felt::fused_t>;
template struct steps<study_last, support::summed<felt::Host>>;
template struct steps<study_last, support::count_bytes>;
template struct steps<study_last, support::laps>;
template struct passes<study_rows, felt::fused_t>;
template struct passes<study_rows, support::count_bytes>;
template struct passes<study_rows, support::laps>;
template struct passes<study_last, felt::fused_t>;
template struct passes<study_last, support::count_bytes>;
template struct passes<study_last, support::laps>;

}  // namespace cnn
