// SPDX-License-Identifier: BSD-3-Clause
//
// The benchmark's plain recurrent layer.
#include <lstm/sequence.hpp>

lstm::measured lstm::measure_rnn(index_t steps, index_t batch, index_t hidden) {
    return measure<sequence_task<felt::rnn, float>>(steps, batch, hidden);
}
