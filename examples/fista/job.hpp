// SPDX-License-Identifier: BSD-3-Clause
//
// What the command line asks for, and the two things this program can do.
#pragma once
#include <support/job.hpp>

namespace fista {

struct job : support::job {  // its iterations are rounds
    std::string setting, dictionary, step;
    int steps = 0;           // 0: not given
    int columns = -1;        // of a block; 0: all at once; -1: not given
    double lambda = 0;       // 0: not given
    bool reference = false;  // also write what numpy_reference.py reads
};

// Both return the status to exit with.
int check(job const& j);
int learn(job j);

}  // namespace fista
