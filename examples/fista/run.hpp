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

    // A round with these samples.
    template <class How, class Solver>
    void round(How how, felt::Tensor<T, 2> const& x, Solver const& solver) {
        auto const m = learner.code(how, x, solver);
        learner.update(how, x, solver, rounds());
        note(m, x.extent(1));
    }
    void note(felt::code_measures const& m, index_t samples) {
        objective.push_back(m.objective / static_cast<double>(samples));
        gap.push_back(m.gap / static_cast<double>(samples));
        nonzeros.push_back(m.nonzeros);
    }
};

// The samples of a round: all, or another random part each time.
template <class T>
felt::Tensor<T, 2> batch_of(felt::Tensor<T, 2> const& x, index_t count, std::uint64_t seed,
                            index_t round) {
    auto random = support::stream_of(seed ^ 0x6261746368, static_cast<std::uint64_t>(round));
    felt::Tensor<index_t, 1> chosen({count});
    for (index_t i = 0; i < count; ++i) {
        chosen(i) = static_cast<index_t>(random.below(static_cast<std::size_t>(x.extent(1))));
    }
    return felt::gather<1>(x, chosen);
}

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
            .steps = static_cast<int>(file.scalar<std::int64_t>("steps")),
            .columns = file.scalar<std::int64_t>("columns"),
            .step = support::name_in(file, "step", steps)};
}

// Goes on from `file`; r has been made for the same data, with what is saved of `learning`.
template <class T>
void from_npz(felt::npz const& file, learning_run<T>& r) {
    support::check_data(file, r.data, "learning on other data");
    file.get("W", r.learner.W());
    r.objective = file.values<double>("objective");
    r.gap = file.values<double>("gap");
    r.nonzeros = file.values<double>("nonzeros");
}

}  // namespace fista
