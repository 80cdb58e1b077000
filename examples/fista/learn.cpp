// SPDX-License-Identifier: BSD-3-Clause
//
// Learning: data, rounds with their progress, results, and the table at the end.
#include <fista/job.hpp>
#include <fista/profile.hpp>
#include <fista/report.hpp>
#include <support/interrupt.hpp>
#include <support/progress.hpp>
#include <support/ranks.hpp>
#include <iostream>

namespace fista {

namespace {

struct files {
    support::outputs all;
    path dictionary, rounds, convergence, picture, parameters, reference, state;
    profile_files profile;

    files(job const& j, setting const& s, bool on_host) : all(j) {
        dictionary = all.add("dictionary.png");
        if (s.rounds > 0 || j.iterations > 0) rounds = all.add("objective.svg");
        convergence = all.add("convergence.svg");
        picture = all.add("reconstruction.png");
        parameters = all.add("dictionary.npz");
        if (j.reference) reference = all.add("reference.npz");
        if (j.profile) {
            profile.parts = all.add("profile.svg");
            if (on_host) profile.operations = all.add("profile-unfused.svg");
        }
        if (!j.save.empty()) state = all.add_file(j.save, j.resume);
        all.prepare();
    }
};

// What the command line asks for, over what was saved, over the setting's own.
learning learning_of(job const& j, setting const& s, felt::npz const& state, matrix_f const& W,
                     matrix_f const& x) {
    learning how = j.resume.empty() ? learning{.steps = s.steps} : saved_learning(state);
    if (j.resume.empty()) {
        how.lambda = s.lambda > 0 || j.lambda > 0 ? s.lambda : felt::default_lambda(W, x);
    }
    how.ridge = s.ridge, how.study = s.study, how.seed = j.seed;
    support::lay_over(j, "--lambda", j.lambda, how.lambda);
    support::lay_over(j, "--step", j.step, how.step);
    support::lay_over(j, "--steps", j.steps, how.steps);
    support::lay_over(j, "--columns", j.columns >= 0, j.columns, how.columns);
    return how;
}

void introduce(setting const& s, learning_run<float> const& r, std::string const& first,
               std::string const& source, place const& at) {
    learning const& how = r.learner.how();
    std::cout << "setting '" << s.name << "': " << atoms << " atoms of " << side << " x " << side
              << ", at first " << first << "\n"
              << s.samples << " patches: " << source << "; lambda "
              << support::three_digits(how.lambda) << (how.study ? " and the study's rule" : "")
              << ", " << how.steps << " steps of FISTA a round"
              << (how.step == "constant" ? "" : ", by backtracking") << "\n"
              << "float, built for " << support::instruction_set() << "; " << at.name()
              << std::endl;
}

struct iterated {
    double seconds;
    bool interrupted;
};

// Rounds until the end or a signal. Saves into `state` as often as is asked for.
iterated iterate(learning_run<float>& r, trainer& by, setting const& s, job const& j,
                 path const& state) {
    int const total = j.iterations > 0 ? j.iterations : s.rounds;
    auto const stop = [&] { return felt::sum(*j.ranks, support::interrupted() ? 1. : 0.) > 0; };
    bool stops = stop();
    auto const done = [&] { return static_cast<std::size_t>(r.rounds()); };
    support::progress progress(static_cast<std::size_t>(total), support::progress::fitting(j.quiet),
                               done());
    support::stopwatch const watch;
    while (r.rounds() < total && !stops) {
        r.note(by.round(r.rounds(), s.batch), s.batch);
        progress.show(done(), {{"objective", r.objective.back()},
                               {"gap", r.gap.back()},
                               {"nonzeros", r.nonzeros.back()}});
        stops = stop();
        if (j.check_ranks) support::check_same(*j.ranks, by.W(), "dictionaries");
        if (!support::saves_after(j, r.rounds())) continue;
        r.learner.W() = by.W();
        felt::save_npz(state.string(), to_npz(r, s.name));
    }
    r.learner.W() = by.W();
    return {watch.seconds(), stops};
}

void report(files const& out, job const& j, learning_run<float> const& r, trainer& by,
            patches<float> const& data, double seconds) {
    if (r.rounds() > 0) {
        std::cout << "objective of a patch " << r.objective.front() << " -> " << r.objective.back()
                  << " in " << r.rounds() << " rounds, " << support::duration(seconds) << "\n";
        draw_rounds(out.rounds, r);
    }
    std::cout << "\n";
    double const lambda = r.learner.how().lambda;
    draw_dictionary(out.dictionary, r.learner.W());
    felt::save_npz(out.parameters.string(), dictionary_npz(r));
    draw_reconstruction(out.picture, data.picture, r, by, std::cout);
    draw_convergence(out.convergence, r.learner.W(), data.x, lambda, std::cout);
    if (j.reference) write_reference(out.reference, r, data.x);
}

}  // namespace

int learn(job j) {
    support::of_one_rank(j, "--reference", j.reference);
    if (!j.resume.empty() && !j.dictionary.empty()) {
        throw felt::error("--resume goes on with the dictionary that was saved, not --dictionary");
    }
    place const& at = support::chosen_place(j.space, host(), device());
    felt::npz const state = support::state_of(j);
    std::string name = j.resume.empty() ? "patches" : setting_of(state);
    support::lay_over(j, "--setting", j.setting, name);
    setting const& s = support::setting_for(settings, name);
    files const out(j, s, &at == &host());
    at.threads(j.threads);
    auto const data = load_patches<float>(s, j.data, j.seed);
    auto first = begin_with(s, j.dictionary, j.data, j.seed);
    felt::broadcast(*j.ranks, first.W);
    support::check_same(*j.ranks, data.x, "patches");
    learning how = learning_of(j, s, state, first.W, data.x);
    how.ranks = j.ranks;
    learning_run<float> r{learner<float>(how, std::move(first.W)), support::fingerprint_of(data.x)};
    introduce(s, r, j.resume.empty() ? first.source : j.resume, data.source, at);
    if (!j.resume.empty()) from_npz(state, r);

    double const before = at.transferred();
    auto const by = at.learn(how, r.learner.W(), data.x);
    auto const [seconds, interrupted] = iterate(r, *by, s, j, out.state);
    support::check_same(*j.ranks, r.learner.W(), "dictionaries");
    if (support::saves(j)) felt::save_npz(out.state.string(), to_npz(r, name));
    if (interrupted) {
        std::cout << "interrupted after round " << r.rounds() << "\n";
        if (!j.save.empty()) out.all.list(std::cout);
        return support::interrupted_status();
    }
    support::report_transfers(at.transferred() - before, seconds, std::cout);
    if (!j.ranks->is_first()) return 0;
    report(out, j, r, *by, data, seconds);
    if (j.ranks->size() > 1) return out.all.list(std::cout), 0;  // the rest is of one rank
    if (j.profile) report_parts(out.profile, *by, std::cout);
    if (j.profile && &at == &host()) report_operations(out.profile, r, data.x, std::cout);
    bool const equal =
        report_comparison(*by, at.name(), data.x.extent(1), how.lambda, how.columns, std::cout);
    out.all.list(std::cout);
    return equal ? 0 : 1;
}

}  // namespace fista
