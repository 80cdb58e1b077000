// SPDX-License-Identifier: BSD-3-Clause
//
// The three networks and how each is trained.
//
//   study    SGD, 3 epochs of batches of 256: rate 0.1, halved after each epoch, momentum 0.5 in
//            the first 19 steps, then 0.95 (minFuncSGD of the UFLDL exercise)
//   trial    Adam of rate 1e-4, 1 epoch of batches of 50
//   softmax  SGD of rate 0.5, 1000 batches of 100
#pragma once
#include <cnn/job.hpp>
#include <felt/nn/adam.hpp>
#include <felt/nn/sgd.hpp>
#include <support/state.hpp>
#include <string>

namespace cnn {

using felt::index_t;

struct setting {
    std::string network = "study";
    index_t batch = 256, filters = 20;
    index_t epochs = 3, iterations = 0;  // whichever is not 0
};

inline setting setting_of(std::string const& network) {
    if (network == "study") return {};
    if (network == "trial") return {"trial", 50, 32, 1, 0};
    if (network == "softmax") return {"softmax", 100, 10, 0, 1000};
    throw felt::error("no network " + network);
}

// For step `iteration` = 0, 1, ... of a run with `per_epoch` steps in each epoch.
inline felt::sgd_options schedule(setting const& s, index_t iteration, index_t per_epoch) {
    if (s.network == "softmax") return {.rate = 0.5, .momentum = 0};
    auto const epoch = static_cast<double>(iteration / per_epoch);
    return {.rate = 0.1 * std::exp2(-epoch), .momentum = iteration + 1 < 20 ? 0.5 : 0.95};
}

inline constexpr felt::adam_options trial_rates = {.rate = 1e-4};

// What the command line asks for, over what was saved, over the network's own.
inline setting chosen(job const& j, setting const& saved) {
    setting s = j.resume.empty() ? setting_of(j.network.empty() ? "study" : j.network) : saved;
    support::lay_over(j, "--network", j.network, s.network);
    support::lay_over(j, "--batch", j.batch, s.batch);
    support::lay_over(j, "--filters", j.filters, s.filters);
    if (j.epochs > 0) s.epochs = j.epochs, s.iterations = 0;
    if (j.iterations > 0) s.iterations = j.iterations;
    return s;
}

}  // namespace cnn
