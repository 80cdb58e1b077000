// SPDX-License-Identifier: BSD-3-Clause
//
// What the command line asks for, and the things this program can do.
#pragma once
#include <support/job.hpp>

namespace resnet {

struct job : support::job {
    int layers = 0, width = 0, epochs = 0, batch = 0;  // 0: not given
    int train = 0;                                     // images; 0: all there are
    double rate = 0;                                   // 0: not given
    std::string schedule;
    bool brief = false;  // nothing was asked for
};

// Both return the status to exit with.
int check(job const& j);
int train(job j);

}  // namespace resnet
