// SPDX-License-Identifier: BSD-3-Clause
//
// What the command line asks for, and the things this program can do.
#pragma once
#include <string>
#include <vector>

namespace networks {

struct job {
    std::vector<std::string> names;
    int steps = 100, batch = 0, threads = 1;  // batch 0: the suite's
    double seconds = 60;                      // no more steps of a kind after that
    std::vector<int> batches, thread_counts;  // of sweeps
    bool quick = false, layers = false, list = false, check = false, learn = false;
    int instances = 0;                       // side by side; 0: no throughput mode
    int epochs = 0, seeds = 0, samples = 0;  // of lessons; 0: as many as are usual
    int first_seed = 1;
    bool out_given = false, force = false, quiet = false;
    std::string out = "felt-out/suite", python, data;
    std::string lessons;           // a folder to write lessons into
    std::vector<std::string> add;  // files of what was learned
};

// These return the status to exit with.
int check();
int suite(job const& j);
int sweep(job const& j);       // over batches or numbers of threads
int throughput(job const& j);  // instances side by side
int learn(job const& j);       // until networks can do something
int write_lessons(job const& j);
int add_learned(job const& j);
void list();

}  // namespace networks
