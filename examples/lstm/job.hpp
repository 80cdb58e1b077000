// SPDX-License-Identifier: BSD-3-Clause
//
// What the command line asks for, and the three things this program can do.
#pragma once
#include <cstdint>
#include <string>

namespace lstm {

struct job {
    std::string setting, text, test, data, out, save, resume, cell = "lstm";
    std::uint64_t seed = 1;
    int threads = 0, iterations = 0, epochs = 0;           // 0: not given
    int batch = 0, steps = 0, hidden = 0, vocabulary = 0;  // 0: not given
    double rate = 0;
    bool out_given = false, force = false, quiet = false, profile = false, reference = false;
};

// All return the status to exit with.
int check();
int train(job j);
int benchmark(job const& j);

}  // namespace lstm
