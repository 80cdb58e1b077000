// SPDX-License-Identifier: BSD-3-Clause
//
// The trial network, unfused.
#include <cnn/instances.hpp>

namespace cnn {

template struct loops<trial_rows, felt::unfused_t>;
template struct loops<trial_last, felt::unfused_t>;

}  // namespace cnn
