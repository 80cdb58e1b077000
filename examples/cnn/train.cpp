// SPDX-License-Identifier: BSD-3-Clause
//
// Training: data, steps with their progress, results, and the tables at the end.
#include <cnn/job.hpp>
#include <cnn/quantised.hpp>
#include <cnn/report.hpp>
#include <support/interrupt.hpp>
#include <support/outputs.hpp>
#include <support/progress.hpp>
#include <iostream>

namespace cnn {

namespace {

struct files {
    support::outputs all;
    path filters, cost, accuracy, confusion, parameters, state;
    profile_files profile;
    bool study;  // by operation, too

    files(job const& j, bool by_operation) : all(j), study(by_operation) {
        filters = all.add("filters.png");
        cost = all.add("cost.svg");
        accuracy = all.add("accuracy.svg");
        confusion = all.add("confusion.svg");
        parameters = all.add("parameters.npz");
        if (j.profile) profile.blocks = all.add("profile-fused.svg");
        if (j.profile && study) {
            profile.operations = all.add("profile-unfused.svg");
            profile.bars = all.add("profile-study.svg");
        }
        if (!j.save.empty()) state = all.add_file(j.save, j.resume);
        all.prepare();
    }
};

struct clock_times {
    double steps = 0, all = 0;  // seconds
    felt::bucket_times sums = {};
    bool interrupted = false;
};

// Steps until the end or a signal; a quarter of an epoch apart, tests on 1000 images. Saves into
// `state` as often as is asked for.
clock_times iterate(training& t, learner& net, digits const& train, digits const& test,
                    job const& j, path const& state) {
    clock_times times;
    auto const by = net.train(t, train.x, train.y, std::move(t.optimiser));
    auto const total = static_cast<std::size_t>(t.total());
    auto const done = [&] { return static_cast<std::size_t>(by->iteration()); };
    support::progress progress(total, support::progress::fitting(j.quiet), done());
    index_t const apart = std::max<index_t>(1, t.per_epoch() / 4);
    auto const measure = [&] {
        t.tested.push_back(static_cast<double>(by->iteration()));
        t.accuracies.push_back(
            tested(net, felt::fused, by->theta(), test, 1000, *j.ranks).accuracy());
    };
    auto const save = [&] {
        t.optimiser = by->state();
        felt::save_npz(state.string(), to_npz(t));
    };
    support::stopwatch const watch;
    if (t.tested.empty()) measure();
    while (by->iteration() < t.total() && !by->is_interrupted()) {
        support::stopwatch const step;
        t.costs.push_back(by->step());
        times.steps += step.seconds();
        if (by->iteration() % apart == 0) measure();
        progress.show(done(), {{"cost", t.costs.back()}, {"right %", t.accuracies.back()}});
        if (j.check_ranks) support::check_same(*j.ranks, by->theta(), "parameters");
        if (!state.empty() && support::saves_after(j, by->iteration())) save();
    }
    times.sums = by->sums();
    times.interrupted = by->is_interrupted();
    t.optimiser = by->stop();
    times.all = watch.seconds();
    return times;
}

void introduce(training const& t, digits const& train, digits const& test, place const& at) {
    std::cout << "network '" << t.how.network << "', " << t.theta().size() << " parameters, on "
              << train.count() << " images: " << train.source << "\n"
              << t.total() << " steps of " << t.how.batch << " images ("
              << support::three_digits(static_cast<double>(t.total()) /
                                       static_cast<double>(t.per_epoch()))
              << " epochs), tested on " << test.count() << " others\n"
              << "float, built for " << support::instruction_set() << "; " << at.name()
              << std::endl;
}

void report(files const& out, training const& t, learner& net, digits const& test,
            clock_times const& times, index_t steps) {
    std::cout << "cost " << t.costs.front() << " -> " << t.costs.back() << " in " << t.iteration()
              << " steps";
    if (steps > 0) {
        auto const n = static_cast<double>(steps);
        std::cout << ", " << support::duration(times.steps / n) << " each, "
                  << support::duration(times.steps / n * static_cast<double>(t.per_epoch()))
                  << " an epoch";
    }
    std::cout << "\n";
    support::report_ranks(*t.ranks, times.sums, times.steps, std::cout);
    support::stopwatch const watch;
    confusion const c = tested(net, felt::fused, t.theta(), test, test.count(), *t.ranks);
    std::cout << "accuracy " << support::three_digits(c.accuracy()) << " % of " << test.count()
              << " test images, " << support::duration(watch.seconds()) << "\n\n";
    print(c, std::cout);
    std::cout << "\n";
    if (!t.ranks->is_first()) return;
    draw_filters(out.filters, net, t.theta());
    draw_cost(out.cost, t);
    draw_accuracy(out.accuracy, t);
    draw_confusion(out.confusion, c);
    felt::npz parameters;
    net.parameters().put(parameters, t.theta());
    felt::save_npz(out.parameters.string(), parameters);
}

// What the same run comes to from another start, for comparison.
double accuracy_from(vector_f const& start, setting const& s, learner& net, digits const& train,
                     digits const& test, job const& j) {
    std::cout << "first without the features of " << j.init_filters << std::endl;
    training t(s, start, train, j.seed);
    t.ranks = j.ranks;
    iterate(t, net, train, test, j, {});
    return tested(net, felt::fused, t.theta(), test, test.count(), *j.ranks).accuracy();
}

}  // namespace

int train(job j) {
    place const& at = support::chosen_place(j.space, host(), device());
    felt::npz const state = support::state_of(j);
    setting const s = chosen(j, j.resume.empty() ? setting{} : setting_of(state));
    if (!j.resume.empty() && j.images == 0) {
        j.images = static_cast<int>(state.scalar<std::int64_t>("images"));
    }
    if (j.int8 && (s.network != "trial" || &at != &host())) {
        throw felt::error("--int8 is of --network trial, on the host");
    }
    files const out(j, s.network == "study" && &at == &host());
    at.threads(j.threads);
    index_t const images = j.images > 0 ? j.images : 60000;
    digits const train = load_digits(j.data, "train", images, j.seed);
    digits const test = load_digits(j.data, "t10k", images < 60000 ? 2000 : 10000, j.seed);
    setting own = s;
    own.batch = support::rows_of(s.batch, *j.ranks).size();
    auto net = at.network(own);
    vector_f start = net->initial_parameters(j.seed);
    felt::broadcast(*j.ranks, start);
    double const without = j.init_filters.empty() || !j.resume.empty()
                               ? 0
                               : accuracy_from(start, s, *net, train, test, j);
    if (!j.init_filters.empty()) use_features(j.init_filters, *net, start);
    training t(s, std::move(start), train, j.seed);
    t.ranks = j.ranks;
    support::check_same(*j.ranks, train.x, "images");
    if (!j.resume.empty()) from_npz(state, t);
    introduce(t, train, test, at);

    index_t const first = t.iteration();
    double const before = at.transferred();
    auto const times = iterate(t, *net, train, test, j, out.state);
    support::check_same(*j.ranks, t.theta(), "parameters");
    if (support::saves(j)) felt::save_npz(out.state.string(), to_npz(t));
    if (times.interrupted) {
        std::cout << "interrupted after step " << t.iteration() << "\n";
        if (!j.save.empty()) out.all.list(std::cout);
        return support::interrupted_status();
    }
    support::report_transfers(at.transferred() - before, times.all, std::cout);
    report(out, t, *net, test, times, t.iteration() - first);
    if (without > 0) {
        std::cout << "accuracy without the features of " << j.init_filters << ": "
                  << support::three_digits(without) << " %\n\n";
    }
    if (j.ranks->size() > 1) return out.all.list(std::cout), 0;  // the rest is of one rank
    if (j.profile) report_blocks(out.profile, *net, t, first_batch(train, s.batch), std::cout);
    if (j.profile && out.study) {
        report_operations(out.profile, t, first_batch(train, s.batch), std::cout);
    }
    if (j.int8) report_quantised(*net, t, train, test, std::cout);
    bool const equal = report_comparison(*net, at.name(), t, train, test, std::cout);
    std::cout << "\n";
    out.all.list(std::cout);
    return equal ? 0 : 1;
}

}  // namespace cnn
