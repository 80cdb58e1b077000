// SPDX-License-Identifier: BSD-3-Clause
//
// The two language models and how each is trained.
//
//   words        two layers of 256, batches of 10 sequences of 32 words, rate 1, one epoch
//   characters   two layers of 128, batches of 32 sequences of 32 characters, rate 0.4, 4 epochs
//
// Both: gradient descent, the gradient clipped at norm 5; parameters uniform in [-0.1, 0.1).
#pragma once
#include <lstm/job.hpp>
#include <lstm/model.hpp>
#include <support/state.hpp>

namespace lstm {

struct setting {
    std::string name = "words";
    index_t batch = 10, steps = 32, hidden = 256, epochs = 1, iterations = 0;
    double rate = 1, clip = 5;
};

inline setting setting_of(std::string const& name) {
    if (name == "words") return {};
    if (name == "characters") return {"characters", 32, 32, 128, 4, 0, 0.4, 5};
    throw felt::error("no setting " + name);
}

// What the command line asks for, over what was saved, over the setting's own.
inline setting chosen(job const& j, setting const& saved, std::string const& by_default) {
    setting s = j.resume.empty() ? setting_of(j.setting.empty() ? by_default : j.setting) : saved;
    support::lay_over(j, "--setting", j.setting, s.name);
    support::lay_over(j, "--batch", j.batch, s.batch);
    support::lay_over(j, "--steps", j.steps, s.steps);
    support::lay_over(j, "--hidden", j.hidden, s.hidden);
    support::lay_over(j, "--rate", j.rate, s.rate);
    if (j.epochs > 0) s.epochs = j.epochs, s.iterations = 0;
    if (j.iterations > 0) s.iterations = j.iterations;
    return s;
}

}  // namespace lstm
