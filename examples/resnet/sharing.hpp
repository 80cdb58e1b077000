// SPDX-License-Identifier: BSD-3-Clause
//
// Batch normalisation where ranks share each batch. Synchronised, sums of the batch go over the
// ranks, before and behind every normalisation: all have the statistics that one rank would have.
// Local, each has those of its own part, and what is running goes on by their mean.
#pragma once
#include <support/step_sum.hpp>

namespace resnet {

using felt::index_t;

struct sharing {
    felt::communicator* ranks = &felt::alone;
    bool synchronised = true;
};

struct statistics_times {
    index_t sums = 0, bytes = 0;
    double seconds = 0;
};

// The sums over ranks that statistics need, and what they cost.
template <class Space>
class statistics_sum {
public:
    using vector = felt::Tensor<float, 1, Space>;

    // For a batch of which this rank has `own` images.
    statistics_sum(sharing const& with, index_t own)
        : with_(with),
          of_(felt::sum(*with.ranks, own)),
          share_(static_cast<float>(own) / static_cast<float>(of_)) {}

    index_t images() const { return of_; }  // of all ranks
    bool is_synchronised() const { return with_.ranks->size() > 1 && with_.synchronised; }
    statistics_times const& times() const { return times_; }

    template <class X>
    void sum(X& x) {
        support::stopwatch const watch;
        support::sum_over_ranks<Space>(*with_.ranks, x);
        times_.seconds += watch.seconds();
        times_.bytes += x.size() * static_cast<index_t>(sizeof(float));
        ++times_.sums;
    }

    // After a step. The elements stay where they are: normalisations have views of them.
    void average(vector& running) {
        if (with_.ranks->size() == 1 || with_.synchronised) return;
        vector mean = running * share_;
        sum(mean);
        running = mean;
    }

private:
    sharing with_;
    index_t of_;
    float share_;  // of this rank
    statistics_times times_;
};

}  // namespace resnet
