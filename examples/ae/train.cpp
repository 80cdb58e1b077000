// SPDX-License-Identifier: BSD-3-Clause
//
// Training: data, iterations with their progress, results, and the table at the end.
#include <ae/instances.hpp>
#include <ae/job.hpp>
#include <ae/profile.hpp>
#include <ae/training.hpp>
#include <support/chart.hpp>
#include <support/interrupt.hpp>
#include <support/mosaic.hpp>
#include <support/outputs.hpp>
#include <support/progress.hpp>
#include <support/ranks.hpp>
#include <iostream>
#include <numeric>
#include <optional>

namespace ae {

extern template samples<float> load_samples<float>(setting const&, std::string const&,
                                                   std::uint64_t);  // data.cpp

namespace {

using support::fs::path;

struct files {
    support::outputs all;
    path features, curve, parameters, reference, state;
    profile_files profile;

    files(job const& j, bool on_host) : all(j) {
        features = all.add("features.png");
        curve = all.add("cost.svg");
        parameters = all.add("parameters.npz");
        if (j.reference) reference = all.add("reference.npz");
        if (j.profile) {
            profile.parts = all.add("profile.svg");
            profile.stages = all.add("profile-fused.svg");
            if (on_host) {
                profile.operations = all.add("profile-unfused.svg");
                profile.bars = all.add("profile-study.svg");
            }
        }
        if (!j.save.empty()) state = all.add_file(j.save, j.resume);
        all.prepare();
    }
};

char const* reason(felt::lbfgs_end end) {
    switch (end) {
        case felt::lbfgs_end::gradient:
            return "the gradient has vanished";
        case felt::lbfgs_end::slope:
        case felt::lbfgs_end::step:
        case felt::lbfgs_end::progress:
            return "the cost falls no further at this precision";
        default:
            return nullptr;
    }
}

void draw_curve(path const& file, setting const& s, std::vector<double> const& costs) {
    support::line_chart chart{"Sparse autoencoder, setting " + std::string(s.name),
                              "L-BFGS iteration", "cost J per sample (squared pixel values)"};
    std::vector<double> iteration(costs.size());
    std::iota(iteration.begin(), iteration.end(), 0.0);
    chart.series = {{"cost", iteration, costs}};
    chart.log_y = true;
    support::write_file(file, support::to_svg(chart));
}

void draw_features(path const& file, setting const& s, vector_f const& theta) {
    auto const W1 = parts_of(theta.data(), s.net).W1;
    auto const side = static_cast<std::size_t>(s.side);
    std::span<float const> const rows(W1.data(), static_cast<std::size_t>(W1.size()));
    support::write_png(file, support::mosaic(rows, side, side));
}

void write_reference(path const& file, setting const& s, std::uint64_t seed,
                     felt::Tensor<float, 2> const& x, training<float> const& t) {
    felt::npz out = parameters_npz(initial_parameters<float>(s.net, seed), s.net);
    out.put("x", x);
    out.put("rho", s.net.rho), out.put("lambda", s.net.lambda), out.put("beta", s.net.beta);
    out.put("iterations", static_cast<std::int64_t>(t.optimiser.iteration()));
    out.put("cost", t.optimiser.cost());
    felt::save_npz(file.string(), out);
}

struct clock_times {
    double cost = 0, transfers = 0, all = 0;  // seconds
    felt::bucket_times sums = {};
    bool interrupted = false;
};

// What is spent neither in the cost function nor in copies is the optimiser's.
void report_profile(path const& file, clock_times const& times) {
    support::table t({{"time"}, {"total"}, {"share"}});
    auto const row = [&](char const* what, double seconds) {
        t.row({what, support::duration(seconds),
               support::three_digits(100 * seconds / times.all) + " %"});
    };
    double const optimiser = times.all - times.cost - times.transfers;
    row("cost and gradient", times.cost);
    row("optimiser", optimiser);
    if (times.transfers > 0) row("transfers", times.transfers);
    t.print(std::cout);
    std::cout << "\n";
    support::pie_chart chart{
        "Where the time went",
        "s",
        {{"cost and gradient", times.cost}, {"optimiser (L-BFGS)", optimiser}}};
    if (times.transfers > 0) chart.slices.push_back({"transfers", times.transfers});
    support::write_file(file, support::to_svg(chart));
}

// Iterates until the end or a signal. Saves into `state` as often as is asked for.
clock_times iterate(training<float>& t, trainer& by, job const& j, setting const& s,
                    path const& state) {
    index_t const total = j.iterations > 0 ? j.iterations : s.iterations;
    auto const done = [&] { return static_cast<std::size_t>(by.iteration()); };
    support::progress progress(static_cast<std::size_t>(total), support::progress::fitting(j.quiet),
                               done());
    auto const show = [&] {
        progress.show(done(), {{"cost", by.cost()}, {"|gradient|", by.gradient_norm()}});
    };
    support::stopwatch const watch;
    t.start(by);
    show();
    while (by.iteration() < total && !by.is_interrupted() && t.step(by)) {
        show();
        if (j.check_ranks) support::check_same(*j.ranks, by.state().x(), "parameters");
        if (!support::saves_after(j, by.iteration())) continue;
        t.optimiser = by.state();
        felt::save_npz(state.string(), to_npz(t, s.name));
    }
    return {by.seconds(), 0, watch.seconds(), by.sums(), by.is_interrupted()};
}

// All of a run: what is copied before its first and after its last iteration is in it.
std::unique_ptr<trainer> run(training<float>& t, clock_times& times, place const& at,
                             setting const& s, matrix_f x, job const& j, path const& state) {
    support::stopwatch const watch;
    double const before = at.transferred();
    auto const own = support::rows_of(x.extent(1), *j.ranks);
    if (own.size() < own.of) {
        x = eval(felt::slice(matrix_f(std::move(x)), felt::all(), felt::range(own.begin, own.end)));
    }
    auto by = at.train(s.net, std::move(x), std::move(t.optimiser), *j.ranks, own.of);
    times = iterate(t, *by, j, s, state);
    t.optimiser = by->stop();
    times.transfers = at.transferred() - before;
    times.all = watch.seconds();
    return by;
}

void introduce(setting const& s, std::string const& source, place const& at) {
    std::cout << "sparse autoencoder " << s.net.visible << "-" << s.net.hidden << "-"
              << s.net.visible << " on " << s.samples << " samples: " << source << "\n"
              << "float, built for " << support::instruction_set() << "; " << at.name()
              << std::endl;
}

void report(files const& out, job const& j, setting const& s, trainer const& by,
            training<float> const& t, clock_times const& times) {
    std::cout << "cost " << t.costs.front() << " -> " << t.costs.back() << " in "
              << t.optimiser.iteration() << " iterations, " << t.optimiser.evaluations()
              << " evaluations, " << support::duration(times.all) << "\n";
    support::report_ranks(*j.ranks, times.sums, times.all, std::cout);
    if (auto const* const why = reason(t.optimiser.end())) {
        std::cout << "ended early: " << why << "\n";
    }
    std::cout << "\n";
    draw_features(out.features, s, t.optimiser.x());
    draw_curve(out.curve, s, t.costs);
    felt::save_npz(out.parameters.string(), parameters_npz(t.optimiser.x(), s.net));
    if (j.reference) write_reference(out.reference, s, j.seed, by.samples(), t);
    if (j.profile) report_profile(out.profile.parts, times);
}

// The table at the end; false if the two ways do not agree.
bool report_comparison(trainer& by, vector_f const& theta, place const& at) {
    comparison const c = by.compared(theta, 3);
    bool const equal = c.difference < 1e-4;
    if (equal) print(c, at.name(), std::cout);
    else std::cout << "fused and unfused differ by " << c.difference << ": not timed\n";
    std::cout << "\n";
    return equal;
}

}  // namespace

int train(job j) {
    support::of_one_rank(j, "--reference", j.reference);
    place const& at = support::chosen_place(j.space, host(), device());
    felt::npz const state = support::state_of(j);
    std::string name = j.resume.empty() ? "mnist" : setting_of(state);
    support::lay_over(j, "--setting", j.setting, name);
    setting const& s = support::setting_for(settings, name);
    files const out(j, &at == &host());
    at.threads(j.threads);
    auto data = load_samples<float>(s, j.data, j.seed);
    introduce(s, data.source, at);
    vector_f start = initial_parameters<float>(s.net, j.seed);
    felt::broadcast(*j.ranks, start);
    std::optional<training<float>> t({felt::lbfgs<float>(start), {}, j.seed, fingerprint(data.x)});
    if (!j.resume.empty()) from_npz(state, *t);
    support::check_same(*j.ranks, data.x, "samples");

    clock_times times;
    auto const by = run(*t, times, at, s, std::move(data.x), j, out.state);
    support::check_same(*j.ranks, t->optimiser.x(), "parameters");
    if (support::saves(j)) felt::save_npz(out.state.string(), to_npz(*t, name));
    if (times.interrupted) {
        std::cout << "interrupted after iteration " << t->optimiser.iteration() << "\n";
        if (!j.save.empty()) out.all.list(std::cout);
        return support::interrupted_status();
    }
    if (!j.ranks->is_first()) return 0;
    report(out, j, s, *by, *t, times);
    if (j.ranks->size() > 1) return out.all.list(std::cout), 0;  // the rest is of one rank
    if (j.profile) report_stages(out.profile, *by, start, std::cout);
    if (j.profile && &at == &host()) {
        report_operations(out.profile, s.net, by->samples(), start, std::cout);
    }
    t.reset();  // so that its memory does not count in the comparison
    bool const equal = report_comparison(*by, start, at);
    out.all.list(std::cout);
    return equal ? 0 : 1;
}

}  // namespace ae
