// SPDX-License-Identifier: BSD-3-Clause
//
// What the command line asks for, and the two things this program can do.
#pragma once
#include <cstdint>
#include <string>

namespace ae {

struct job {
    std::string setting, data, out, save, resume;
    std::uint64_t seed = 1;
    int threads = 0, iterations = 0;  // 0: not given
    bool setting_given = false, out_given = false;
    bool force = false, quiet = false, profile = false;
    bool reference = false;  // also write what scipy_reference.py reads
};

// Both return the status to exit with.
int check();
int train(job j);

}  // namespace ae
