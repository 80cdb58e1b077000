// SPDX-License-Identifier: BSD-3-Clause
//
// What the command line of every example asks for. An example adds its own:
//
//   struct job : support::job { std::string network; int batch = 0; };
#pragma once
#include <felt/distributed/communicator.hpp>
#include <cstdint>
#include <string>

namespace support {

struct job {
    std::string data;    // empty: $FELT_DATA, ./data
    std::string out;     // felt-out/<example>
    std::string save;    // empty: no state is saved
    std::string resume;  // empty: from the beginning
    std::uint64_t seed = 1;
    std::string space = "host";        // or "device", "auto"
    int threads = 0;                   // 0: $FELT_NUM_THREADS, else one
    int iterations = 0;                // 0: the example's own number
    std::string distributed = "auto";  // or "mpi", "none"
    int save_every = 0;                // iterations; 0: at the end alone
    bool check_ranks = false;          // after every step
    felt::communicator* ranks = &felt::alone;
    bool out_given = false, force = false, quiet = false, check = false, profile = false;
};

}  // namespace support
