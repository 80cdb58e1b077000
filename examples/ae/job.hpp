// SPDX-License-Identifier: BSD-3-Clause
//
// What the command line asks for, and the two things this program can do.
#pragma once
#include <support/job.hpp>

namespace ae {

struct job : support::job {
    std::string setting;
    bool reference = false;  // also write what scipy_reference.py reads
};

// Both return the status to exit with.
int check(job const& j);
int train(job j);

}  // namespace ae
