// SPDX-License-Identifier: BSD-3-Clause
//
// The study's network, unfused.
#include <cnn/instances.hpp>

namespace cnn {

template struct loops<study_rows, felt::unfused_t>;
template struct loops<study_last, felt::unfused_t>;

}  // namespace cnn
