// SPDX-License-Identifier: BSD-3-Clause
//
// Training steps of the trial network, unfused.
#include <cnn/instances.hpp>

namespace cnn {

template struct steps<trial_rows, felt::unfused_t>;
template struct steps<trial_last, felt::unfused_t>;

}  // namespace cnn
