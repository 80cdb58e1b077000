// SPDX-License-Identifier: BSD-3-Clause
//
// What the RNN benchmarks take, fused and unfused.
#pragma once
#include <support/compare.hpp>

namespace lstm {

using felt::index_t;

struct measured {
    support::comparison train, forward;
    double flops;  // of a forward pass
};

// Of one layer over `steps` steps; each compiled in a file of its own.
measured measure_lstm(index_t steps, index_t batch, index_t hidden);
measured measure_rnn(index_t steps, index_t batch, index_t hidden);

}  // namespace lstm
