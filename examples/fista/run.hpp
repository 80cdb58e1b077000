// SPDX-License-Identifier: BSD-3-Clause
//
// A learning run and its file: what a resumed run needs to go on as if it had never stopped. Codes
// begin anew in each round, so the dictionary is all that there is to keep.
#pragma once
#include <fista/learner.hpp>
#include <support/fingerprint.hpp>
#include <support/state.hpp>

namespace fista {

template <class T>
struct learning_run {
    fista::learner<T> learner;
    std::int64_t data = 0;                               // fingerprint of all samples
    std::vector<double> objective{}, gap{}, nonzeros{};  // of a sample, round by round

    index_t rounds() const { return static_cast<index_t>(objective.size()); }

    // What a round with so many samples has come to.
    void note(felt::code_measures const& m, index_t samples) {
        objective.push_back(m.objective / static_cast<double>(samples));
        gap.push_back(m.gap / static_cast<double>(samples));
        nonzeros.push_back(m.nonzeros);
    }
};

template <class T>
felt::npz to_npz(learning_run<T> const& r, std::string const& setting) {
    felt::npz file;
    learning const& how = r.learner.how();
    support::put_name(file, "setting", setting);
    file.put("seed", static_cast<std::int64_t>(how.seed));
    file.put("steps", std::int64_t{how.steps}), file.put("columns", how.columns);
    support::put_name(file, "step", how.step);
    file.put("lambda", how.lambda), file.put("data", r.data), file.put("W", r.learner.W());
    support::put_list(file, "objective", r.objective);
    support::put_list(file, "gap", r.gap);
    support::put_list(file, "nonzeros", r.nonzeros);
    return file;
}

// The name of the setting that was saved.
inline std::string setting_of(felt::npz const& file) { return support::setting_in(file, settings); }

// What was saved of how to learn; the rest is the setting's.
inline learning saved_learning(felt::npz const& file) {
    std::vector<std::string> const steps = {"constant", "backtracking"};
    return {.lambda = file.scalar<double>("lambda"),
            .steps = static_cast<int>(support::count_in(file, "steps")),
            .columns = file.scalar<std::int64_t>("columns"),
            .step = support::name_in(file, "step", steps)};
}

// Goes on from `file`; r has been made for the same data, with what is saved of `learning`.
template <class T>
void from_npz(felt::npz const& file, learning_run<T>& r) {
    support::check_data(file, r.data, "learning on other data");
    file.get("W", r.learner.W());
    r.objective = file.values<double>("objective");
    r.gap = support::list_in(file, "gap", r.objective.size());
    r.nonzeros = support::list_in(file, "nonzeros", r.objective.size());
}

}  // namespace fista
