// SPDX-License-Identifier: BSD-3-Clause
//
// What the command line asks for, and the three things this program can do.
#pragma once
#include <support/job.hpp>

namespace lstm {

struct job : support::job {
    std::string setting, text, test, cell = "lstm";
    int epochs = 0, batch = 0, steps = 0, hidden = 0, vocabulary = 0;  // 0: not given
    double rate = 0;
    bool reference = false;  // also write what pytorch_reference.py reads
};

// All return the status to exit with.
int check(job const& j);
int train(job j);
int benchmark(job const& j);

}  // namespace lstm
