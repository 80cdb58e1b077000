// SPDX-License-Identifier: BSD-3-Clause
//
// What the command line asks for, and the two things this program can do.
#pragma once
#include <cstdint>
#include <string>

namespace cnn {

struct job {
    std::string network, layout, data, out, save, resume, init_filters;
    std::uint64_t seed = 1;
    int threads = 0, iterations = 0, epochs = 0, batch = 0, filters = 0;  // 0: not given
    int images = 0;                                                       // 0: all there are
    bool out_given = false, force = false, quiet = false, profile = false;
};

// Both return the status to exit with.
int check();
int train(job j);

}  // namespace cnn
