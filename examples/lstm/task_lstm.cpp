// SPDX-License-Identifier: BSD-3-Clause
//
// The benchmark's LSTM.
#include <lstm/sequence.hpp>

lstm::measured lstm::measure_lstm(index_t steps, index_t batch, index_t hidden) {
    return measure<sequence_task<felt::lstm, float>>(steps, batch, hidden);
}
