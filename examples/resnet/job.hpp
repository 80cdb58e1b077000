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
    std::string schedule, batch_norm;
    bool imagenet = false, stride_first = false;
    std::string images, held_out, features;  // folders, a file
    int side = 0;
    std::string import_from, export_to;
    bool brief = false;  // nothing was asked for
};

// All return the status to exit with.
int check(job const& j);
int train(job j);
int throughput(job const& j);  // --imagenet
int features(job const& j);    // --features

}  // namespace resnet
