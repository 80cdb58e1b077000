// SPDX-License-Identifier: BSD-3-Clause
//
// The benchmark's LSTM.
#include <lstm/sequence.hpp>

namespace lstm {

template double lstm_task::forward(felt::fused_t);
template double lstm_task::forward(felt::unfused_t);
template double lstm_task::forward(support::count_bytes);
template double lstm_task::train(felt::fused_t);
template double lstm_task::train(felt::unfused_t);
template double lstm_task::train(support::count_bytes);

}  // namespace lstm
