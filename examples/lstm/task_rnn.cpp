// SPDX-License-Identifier: BSD-3-Clause
//
// The benchmark's plain recurrent layer.
#include <lstm/sequence.hpp>

namespace lstm {

template double rnn_task::forward(felt::fused_t);
template double rnn_task::forward(felt::unfused_t);
template double rnn_task::forward(support::count_bytes);
template double rnn_task::train(felt::fused_t);
template double rnn_task::train(felt::unfused_t);
template double rnn_task::train(support::count_bytes);

}  // namespace lstm
