// SPDX-License-Identifier: BSD-3-Clause
//
// Times of a network, as the suites take them: seconds per batch, over so many steps.
#pragma once
#include <networks/job.hpp>
#include <networks/subject.hpp>

namespace networks {

struct times {
    std::vector<double> seconds{};

    double mean() const;
    double deviation() const;
    double best() const;
};

// Of one way to run a network: ours fused or unfused, or a peer's.
struct figures {
    std::string by;
    times infer{}, forward{}, gradient{}, step{};
    double peak = 0;  // bytes the process held during a step
};
struct layer_times {
    std::string text;
    double forward = 0, backward = 0;  // seconds, the least of all steps
};
struct measured {
    entry const* network;
    index_t batch;
    index_t parameters;
    std::vector<figures> ways;
    std::vector<layer_times> layers{};
    double apart = 0;  // gradients of the fused and of the unfused run, relative
};

// Verifies that fused and unfused give one gradient, then times both in turn.
measured measure(entry const& e, job const& j);
// The same of inference and, if `steps`, of training steps alone, with no check of gradients.
measured measure_some(entry const& e, index_t batch, bool steps, job const& j);
// PyTorch on the same network; no figures where j.python has none. Throws felt::error.
std::vector<figures> measure_torch(entry const& e, index_t batch, job const& j,
                                   std::string const& what = "all");
// Throws felt::error if a name is unknown; all there are if none is asked for.
std::vector<entry const*> networks_of(job const& j);

}  // namespace networks
