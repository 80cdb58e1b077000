// SPDX-License-Identifier: BSD-3-Clause
//
// The times of a subject's ways (fused, unfused, each peer), in turns, so that all meet the same
// machine: seconds of the clock of each turn, in which a way runs once and then, timed, as often as
// fills 0.2 ms.
#pragma once
#include "statement.hpp"
#include <nlohmann/json_fwd.hpp>

namespace study {

struct budget {
    double seconds;   // for each value of a statement
    int least, most;  // turns
    int threads;      // up to so many, at the largest value
};

// Throws felt::error if fused and unfused differ. A peer that differs is named in "wrong".
nlohmann::json timed(subject const& s, budget const& b);
// {"2": {"fused": [..], "unfused": [..]}}
nlohmann::json timed_on_threads(subject const& s, budget const& b);

// Rates of one core: multiply-adds and adds; bytes copied and read by the size of arrays.
nlohmann::json roofs(index_t largest);

}  // namespace study
