// SPDX-License-Identifier: BSD-3-Clause
//
// The rate of large batches on p ranks (Goyal et al., "Accurate, large minibatch SGD", 2017), as
// Horovod's examples have it. With the full rate R = base * p, S steps an epoch and the epoch
// e = (step + 1) / S at the end of a step:
//
//   warm-up, e <= w     R / p (e (p - 1) / w + 1)       from base up to R, in every step
//   then                R times the last drop that has begun: 1, 0.1 from epoch 30 on, ...
//
// v <- momentum v + rate g has the rate in v, so v is scaled by new rate / old rate in the step
// where the rate changes:
//
//   optimiser.options({.rate = s.rate(t), .momentum = 0.9 * s.correction(t)});
#pragma once
#include <felt/core/extents.hpp>
#include <vector>

namespace felt::inline FELT_ABI {

struct rate_drop {
    double epoch, factor;
};

struct rate_schedule {
    double base = 0.0125;    // of one rank
    int ranks = 1;           // each with a batch of its own
    index_t steps = 1;       // in an epoch
    double warm_epochs = 5;  // 0: the full rate from the first step on
    std::vector<rate_drop> drops = {{30, 0.1}, {60, 0.01}, {80, 0.001}};

    // In step 0, 1, ...
    double rate(index_t step) const {
        double const end = static_cast<double>(step + 1) / static_cast<double>(steps);
        double const p = ranks, full = base * p;
        if (end <= warm_epochs) {
            return full / p * (end * (p - 1) / warm_epochs + 1);
        }
        double factor = 1;
        for (rate_drop const& d : drops) {
            if (static_cast<double>(step / steps) >= d.epoch) factor = d.factor;
        }
        return full * factor;
    }

    // What v is scaled by in this step: 1 where the rate stays.
    double correction(index_t step) const { return step == 0 ? 1 : rate(step) / rate(step - 1); }
};

}  // namespace felt::inline FELT_ABI
