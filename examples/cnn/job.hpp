// SPDX-License-Identifier: BSD-3-Clause
//
// What the command line asks for, and the two things this program can do.
#pragma once
#include <support/job.hpp>

namespace cnn {

struct job : support::job {
    std::string network, init_filters;
    int epochs = 0, batch = 0, filters = 0;  // 0: not given
    int images = 0;                          // 0: all there are
    bool int8 = false;                       // the trial network as integers, too
};

// Both return the status to exit with.
int check(job const& j);
int train(job j);

}  // namespace cnn
