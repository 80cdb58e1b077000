// SPDX-License-Identifier: BSD-3-Clause
//
// The study's network, unfused.
#include <cnn/instances.hpp>

namespace cnn {

template struct steps<study_rows, felt::unfused_t>;
template struct steps<study_last, felt::unfused_t>;
template struct passes<study_rows, felt::unfused_t>;
template struct passes<study_last, felt::unfused_t>;

}  // namespace cnn
