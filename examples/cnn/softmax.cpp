// SPDX-License-Identifier: BSD-3-Clause
//
// Softmax regression, fused and unfused.
#include <cnn/instances.hpp>

namespace cnn {

template struct steps<softmax_f, felt::fused_t>;
template struct steps<softmax_f, support::summed<felt::Host>>;
template struct steps<softmax_f, felt::unfused_t>;
template struct steps<softmax_f, support::count_bytes>;
template struct steps<softmax_f, support::laps>;
template struct passes<softmax_f, felt::fused_t>;
template struct passes<softmax_f, felt::unfused_t>;
template struct passes<softmax_f, support::count_bytes>;
template struct passes<softmax_f, support::laps>;

}  // namespace cnn
