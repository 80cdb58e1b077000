// SPDX-License-Identifier: BSD-3-Clause
//
// Training of the suites' networks until they can do something: scores of the test part after each
// epoch, over seeds.
#pragma once
#include <networks/candle.hpp>
#include <networks/job.hpp>
#include <networks/learner.hpp>
#include <support/interrupt.hpp>
#include <support/progress.hpp>
#include <iostream>

namespace networks {

struct lesson;
struct learned;
using teacher = learned(lesson const& l, job const& j);

// Of one network that the catalogue has.
teacher learn_one;
// P3B1: an epoch is one of each task in turn, with one first layer; the score is the geometric mean
// of their macro and micro F1.
teacher learn_tasks;
// Digits 5 to 9 from few samples, by a softmax of the features of a network that has learned 0 to
// 4, of one that has not, and of pixels.
teacher learn_transfer;

struct lesson {
    std::string network;
    std::string measure;                          // what a score is
    std::vector<data_set> (*data)(job const& j);  // of each task; mostly there is one
    index_t batch;
    int epochs;
    rule how;
    int seeds = 1;
    index_t steps = 0;  // of all epochs together, where fewer than all
    std::string published = "";
    teacher* by = learn_one;
    index_t shared_layers = 0;  // the first ones, by all tasks
    bool by_torch = true;       // whether torch_peer.py can learn it, too
    int first_seed = 1;
};

// Of one program: the score after each epoch for each of the seeds, and seconds of an epoch without
// its test.
struct way {
    std::string by;
    std::vector<int> seeds = {};
    std::vector<std::vector<double>> scores = {};  // [seed][epoch]
    std::vector<double> seconds = {};

    double mean() const;       // of the last scores, over seeds
    double deviation() const;  // of a sample; 0 of one seed
};
struct learned {
    lesson of;
    std::string source;
    index_t train, test;
    std::vector<way> ways = {};
};

// Those there are, with j's numbers of epochs and seeds.
std::vector<lesson> lessons(job const& j);
// The network of a task, for samples like those.
felt::nn::net network_of(lesson const& l, samples const& s);
// Of one seed, with so many samples to learn from.
index_t steps_of(lesson const& l, index_t train);

// One line of progress over all epochs and seeds of a lesson. A step throws felt::error after
// Ctrl-C.
class lesson_progress {
public:
    lesson_progress(lesson const& l, index_t steps, job const& j)
        : steps_(static_cast<std::size_t>(steps)),
          shown_(steps_, support::progress::fitting(j.quiet)) {
        if (!j.quiet) std::cout << l.network << std::endl;
    }
    void step(double cost) {
        if (support::interrupted()) throw felt::error("interrupted");
        shown_.show(++done_, {{"cost", cost}, {"score", score_}});
    }
    void scored(double score) { score_ = score; }

private:
    std::size_t steps_, done_ = 0;
    double score_ = 0;
    support::progress shown_;
};

}  // namespace networks
