// SPDX-License-Identifier: BSD-3-Clause
//
// Throughput mode: instances of a network side by side, of which the slowest counts, and the
// figures of merit of CORAL-2's deep-learning suite that follow. What is measured is steps; what a
// benchmark takes is steps times their number. Reading data and scoring are left out, and accuracy
// is measured elsewhere (learn.hpp).
#pragma once
#include <networks/measure.hpp>

namespace networks {

// Means of seconds per batch, of each instance.
struct side_by_side {
    entry const* network;
    index_t batch;
    std::vector<double> base, optimised;  // unfused, fused
};
// Instances of one thread each, `only_gradient`: without an update. Throws what one of them throws.
side_by_side measure_instances(entry const& e, bool only_gradient, job const& j);

// The slowest of instances.
double longest(std::vector<double> const& seconds);

// A benchmark of the suite: seconds that the reference machine takes for so many samples.
struct benchmark {
    std::string network, part;
    bool only_gradient;
    double reference, samples;
};
std::vector<benchmark> const& benchmarks();
// Null if the suite has none of that name.
benchmark const* benchmark_of(std::string const& network);

// ResNet's 10 r n / 50, others' r n / 14000; r: how many times as fast as the reference n instances
// are.
double figure_of_merit(benchmark const& b, double seconds_per_sample, index_t instances);

// Geometric means by part, and the mean of parts weighted by 5 (candle), 1 (convnet), 2 (rnn) and 5
// (resnet), which is 0 unless all benchmarks are there. figures[k]: of benchmarks()[k]; 0: none.
struct merits {
    std::vector<std::pair<std::string, double>> parts;
    double overall;
};
merits merits_of(std::vector<double> const& figures);

}  // namespace networks
