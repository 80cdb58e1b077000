// SPDX-License-Identifier: BSD-3-Clause
//
// Softmax regression, fused and unfused.
#include <cnn/instances.hpp>

namespace cnn {

template struct loops<softmax_f, felt::fused_t>;
template struct loops<softmax_f, felt::unfused_t>;
template struct loops<softmax_f, support::count_bytes>;
template struct loops<softmax_f, support::laps>;

}  // namespace cnn
