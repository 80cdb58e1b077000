// SPDX-License-Identifier: BSD-3-Clause
//
// The study's network, fused.
#include <cnn/instances.hpp>

namespace cnn {

template struct loops<study_rows, felt::fused_t>;
template struct loops<study_rows, support::count_bytes>;
template struct loops<study_rows, support::laps>;
template struct loops<study_last, felt::fused_t>;
template struct loops<study_last, support::count_bytes>;
template struct loops<study_last, support::laps>;

}  // namespace cnn
