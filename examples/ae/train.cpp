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

    explicit files(job const& j) : all(j) {
        features = all.add("features.png");
        curve = all.add("cost.svg");
        parameters = all.add("parameters.npz");
        if (j.reference) reference = all.add("reference.npz");
        if (j.profile) {
            profile.parts = all.add("profile.svg");
            profile.stages = all.add("profile-fused.svg");
            profile.operations = all.add("profile-unfused.svg");
            profile.bars = all.add("profile-study.svg");
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
    double cost = 0, all = 0;  // seconds
};

// What is not spent in the cost function is the optimiser's.
void report_profile(path const& file, clock_times const& times) {
    support::table t({{"time"}, {"total"}, {"share"}});
    auto const row = [&](char const* what, double seconds) {
        t.row({what, support::duration(seconds),
               support::three_digits(100 * seconds / times.all) + " %"});
    };
    row("cost and gradient", times.cost);
    row("optimiser", times.all - times.cost);
    t.print(std::cout);
    std::cout << "\n";
    support::pie_chart const chart{
        "Where the time went",
        "s",
        {{"cost and gradient", times.cost}, {"optimiser (L-BFGS)", times.all - times.cost}}};
    support::write_file(file, support::to_svg(chart));
}

// Iterates until the end or a signal.
clock_times iterate(training<float>& t, model<float>& net, bool quiet, index_t total) {
    clock_times times;
    auto const cost = [&](vector_f const& theta, vector_f& gradient) {
        support::stopwatch const watch;
        double const value = net.cost_and_gradient(felt::fused, theta, gradient);
        times.cost += watch.seconds();
        return value;
    };
    auto const done = [&] { return static_cast<std::size_t>(t.optimiser.iteration()); };
    support::progress progress(static_cast<std::size_t>(total), support::progress::fitting(quiet),
                               done());
    auto const show = [&] {
        progress.show(done(),
                      {{"cost", t.optimiser.cost()}, {"|gradient|", t.optimiser.gradient_norm()}});
    };
    support::stopwatch const watch;
    t.start(cost);
    show();
    while (t.optimiser.iteration() < total && !support::interrupted() && t.step(cost)) show();
    times.all = watch.seconds();
    return times;
}

void introduce(setting const& s, std::string const& source) {
    std::cout << "sparse autoencoder " << s.net.visible << "-" << s.net.hidden << "-"
              << s.net.visible << " on " << s.samples << " samples: " << source << "\n"
              << "float, built for " << support::instruction_set() << std::endl;
}

void report(files const& out, job const& j, setting const& s, felt::Tensor<float, 2> const& x,
            training<float> const& t, clock_times const& times) {
    std::cout << "cost " << t.costs.front() << " -> " << t.costs.back() << " in "
              << t.optimiser.iteration() << " iterations, " << t.optimiser.evaluations()
              << " evaluations, " << support::duration(times.all) << "\n";
    if (auto const* const why = reason(t.optimiser.end())) {
        std::cout << "ended early: " << why << "\n";
    }
    std::cout << "\n";
    draw_features(out.features, s, t.optimiser.x());
    draw_curve(out.curve, s, t.costs);
    felt::save_npz(out.parameters.string(), parameters_npz(t.optimiser.x(), s.net));
    if (j.reference) write_reference(out.reference, s, j.seed, x, t);
    if (j.profile) report_profile(out.profile.parts, times);
}

// The table at the end; false if the two ways do not agree.
bool report_comparison(model<float>& net, vector_f const& theta) {
    comparison const c = compare(net, theta, 3);
    bool const equal = c.difference < 1e-4;
    if (equal) print(c, std::cout);
    else std::cout << "fused and unfused differ by " << c.difference << ": not timed\n";
    std::cout << "\n";
    return equal;
}

}  // namespace

int train(job j) {
    felt::npz const state = support::state_of(j);
    std::string name = j.resume.empty() ? "mnist" : setting_of(state);
    support::lay_over(j, "--setting", j.setting, name);
    setting const& s = support::setting_for(settings, name);
    files const out(j);
    if (j.threads > 0) felt::threads(j.threads);
    auto data = load_samples<float>(s, j.data, j.seed);
    introduce(s, data.source);
    vector_f const start = initial_parameters<float>(s.net, j.seed);
    std::optional<training<float>> t({felt::lbfgs<float>(start), {}, j.seed, fingerprint(data.x)});
    if (!j.resume.empty()) from_npz(state, *t);
    model<float> net(s.net, std::move(data.x));

    auto const times = iterate(*t, net, j.quiet, j.iterations > 0 ? j.iterations : s.iterations);
    if (!j.save.empty()) felt::save_npz(out.state.string(), to_npz(*t, name));
    if (support::interrupted()) {
        std::cout << "interrupted after iteration " << t->optimiser.iteration() << "\n";
        if (!j.save.empty()) out.all.list(std::cout);
        return support::interrupted_status();
    }
    report(out, j, s, net.x(), *t, times);
    if (j.profile) report_operations(out.profile, s.net, net, start, std::cout);
    t.reset();  // so that its memory does not count in the comparison
    bool const equal = report_comparison(net, start);
    out.all.list(std::cout);
    return equal ? 0 : 1;
}

}  // namespace ae
