// SPDX-License-Identifier: BSD-3-Clause
//
// What the command line asks for, and the two things this program can do.
#pragma once
#include <cstdint>
#include <string>

namespace fista {

struct job {
    std::string setting, data, dictionary, out, save, resume;
    std::uint64_t seed = 1;
    int threads = 0, rounds = 0, steps = 0;  // 0: not given
    int columns = 512;                       // of a block; 0: all at once
    double lambda = 0;                       // 0: not given
    bool setting_given = false, out_given = false;
    bool force = false, quiet = false, profile = false;
    bool reference = false;  // also write what numpy_reference.py reads
};

// Both return the status to exit with.
int check();
int learn(job j);

}  // namespace fista
