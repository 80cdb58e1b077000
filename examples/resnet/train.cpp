// SPDX-License-Identifier: BSD-3-Clause
//
// Training: data, steps with their progress, results, and the tables at the end.
#include <resnet/data.hpp>
#include <resnet/report.hpp>
#include <support/interrupt.hpp>
#include <support/outputs.hpp>
#include <support/progress.hpp>
#include <iostream>

namespace resnet {

namespace {

struct files {
    support::outputs all;
    path cost, accuracy, filters, parameters, state, exported, profile;

    explicit files(job const& j) : all(j) {
        cost = all.add("cost.svg");
        accuracy = all.add("accuracy.svg");
        filters = all.add("filters.png");
        parameters = all.add("parameters.npz");
        if (j.profile) profile = all.add("profile-fused.svg");
        if (!j.export_to.empty()) exported = all.add_file(j.export_to);
        if (!j.save.empty()) state = all.add_file(j.save, j.resume);
        all.prepare();
    }
};

struct clock_times {
    double steps = 0, all = 0;  // seconds
    bool interrupted = false;
};

// Steps until the end or a signal; after each epoch a test on the images held out. Saves into
// `state` as often as is asked for.
clock_times iterate(training& t, trainer& by, reader& tester, data const& d, job const& j,
                    path const& state) {
    clock_times times;
    auto const own = support::rows_of(t.how.batch, *j.ranks);
    batches next(*d.train, t.how.batch, {own.begin, own.end}, t.seed);
    auto const done = [&] { return static_cast<std::size_t>(by.iteration()); };
    support::progress progress(static_cast<std::size_t>(t.total()),
                               support::progress::fitting(j.quiet), done());
    auto const measure = [&] {
        tester.start(by.theta(), by.running());
        t.tested.push_back(static_cast<double>(by.iteration()));
        t.accuracies.push_back(tested(tester, felt::fused, *d.test, *j.ranks).top1);
    };
    auto const save = [&] {
        t.optimiser = by.state(), t.running = by.running();
        felt::save_npz(state.string(), to_npz(t));
    };
    support::stopwatch const watch;
    if (t.tested.empty()) measure();
    while (by.iteration() < t.total() && !by.is_interrupted()) {
        support::stopwatch const step;
        batch_f const b = next.next(by.iteration());
        t.costs.push_back(
            by.step(felt::fused, b, options_at(t.how, by.iteration(), t.per_epoch())));
        times.steps += step.seconds();
        t.right.push_back(percent_right(by.log_probabilities(), b, *j.ranks));
        if (by.iteration() % t.per_epoch() == 0) measure();
        progress.show(done(), {{"cost", t.costs.back()},
                               {"right %", t.right.back()},
                               {"held out %", t.accuracies.back()}});
        if (j.check_ranks) {
            support::check_same(*j.ranks, by.theta(), "parameters");
            support::check_same(*j.ranks, by.running(), "running statistics");
        }
        if (support::saves_after(j, by.iteration())) save();
    }
    times.interrupted = by.is_interrupted();
    times.all = watch.seconds();
    return times;
}

void introduce(training const& t, data const& d, place const& at) {
    std::cout << t.how.name() << " of width " << t.how.width << ", " << t.layers.trained.size()
              << " parameters, on " << d.train->count() << " images: " << d.train->source() << "\n"
              << t.total() << " steps of " << t.how.batch << " images ("
              << support::three_digits(static_cast<double>(t.total()) /
                                       static_cast<double>(t.per_epoch()))
              << " epochs), tested on " << d.test->count() << " others\n"
              << "float, built for " << support::instruction_set() << "; " << at.name()
              << std::endl;
}

// What ranks have waited for, if there are several.
void report_sums(training const& t, trainer const& by, clock_times const& times, job const& j) {
    support::report_ranks(*j.ranks, by.sums(), times.steps, std::cout);
    auto const s = by.statistics();
    index_t const steps = by.sums().steps;
    if (s.sums == 0 || steps == 0) return;
    auto const each = [&](auto x) { return static_cast<double>(x) / static_cast<double>(steps); };
    std::cout << t.how.batch_norm << " statistics: " << support::byte_size(each(s.bytes)) << " in "
              << s.sums / steps << " sums, " << support::duration(each(s.seconds)) << " a step\n";
}

void report(files const& out, training& t, reader& tester, data const& d, clock_times const& times,
            index_t steps, trainer const& by, job const& j) {
    std::cout << "cost " << t.costs.front() << " -> " << t.costs.back() << " in "
              << t.optimiser.iteration() << " steps";
    if (steps > 0) {
        double const each = times.steps / static_cast<double>(steps);
        std::cout << ", " << support::duration(each) << " each, "
                  << support::duration(each * static_cast<double>(t.per_epoch())) << " an epoch";
    }
    std::cout << "\n";
    report_sums(t, by, times, j);
    tester.start(t.optimiser.x(), t.running);
    accuracy const held_out = tested(tester, felt::fused, *d.test, *j.ranks);
    accuracy const learned = tested(tester, felt::fused, *d.train, 1000, *j.ranks);
    std::cout << "right of " << d.test->count()
              << " images held out: " << support::three_digits(t.accuracies.front()) << " % -> "
              << support::three_digits(held_out.top1) << " % (among the first five "
              << support::three_digits(held_out.top5) << " %); of those it learned from "
              << support::three_digits(learned.top1) << " %\n\n";
    if (!j.ranks->is_first()) return;
    draw_cost(out.cost, t);
    draw_accuracy(out.accuracy, t);
    draw_filters(out.filters, t);
    felt::npz const parameters = to_import(t);
    felt::save_npz(out.parameters.string(), parameters);
    if (!out.exported.empty()) felt::save_npz(out.exported.string(), parameters);
}

// Rank 0 has begun, or gone on.
void broadcast(felt::communicator& ranks, training& t) {
    t.optimiser.each_part([&](std::string const&, auto& part) {
        if constexpr (requires { part.data(); }) felt::broadcast(ranks, part);
    });
    felt::broadcast(ranks, t.running);
}

}  // namespace

int train(job j) {
    place const& at = support::chosen_place(j.space, host(), device());
    felt::npz const state = support::state_of(j);
    setting s = chosen(j, j.resume.empty() ? setting{} : setting_of(state));
    if (!j.resume.empty() && j.train == 0) {
        j.train = static_cast<int>(state.scalar<std::int64_t>("images"));
    }
    index_t const batch = support::rows_of(s.batch, *j.ranks).size();
    files const out(j);
    at.threads(j.threads);
    data const d = load(j, s);
    training t(s, *d.train, j.seed);
    support::check_same(*j.ranks, std::span(&t.data, 1), "images");
    if (!j.resume.empty()) from_npz(state, t);
    else if (!j.import_from.empty()) import_into(t, felt::load_npz(j.import_from));
    broadcast(*j.ranks, t);
    introduce(t, d, at);

    auto const tester = at.read(shape_of(s), std::min<index_t>(100, d.test->count()));
    index_t const first = t.optimiser.iteration();
    double const before = at.transferred();
    auto const by = at.train(shape_of(s), batch, std::move(t.optimiser), t.running,
                             {j.ranks, s.batch_norm == "synchronised"});
    auto const times = iterate(t, *by, *tester, d, j, out.state);
    t.running = by->running(), t.optimiser = by->stop();
    support::check_same(*j.ranks, t.optimiser.x(), "parameters");
    if (support::saves(j)) felt::save_npz(out.state.string(), to_npz(t));
    if (times.interrupted) {
        std::cout << "interrupted after step " << t.optimiser.iteration() << "\n";
        if (!j.save.empty()) out.all.list(std::cout);
        return support::interrupted_status();
    }
    support::report_transfers(at.transferred() - before, times.all, std::cout);
    report(out, t, *tester, d, times, t.optimiser.iteration() - first, *by, j);
    if (j.ranks->size() > 1) return out.all.list(std::cout), 0;  // the rest is of one rank
    if (j.profile) report_stages(out.profile, at, t, *d.train, std::cout);
    bool const equal = report_comparison(at, t, *d.train, std::cout);
    std::cout << "\n";
    out.all.list(std::cout);
    return equal ? 0 : 1;
}

}  // namespace resnet
