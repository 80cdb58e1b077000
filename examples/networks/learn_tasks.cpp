// SPDX-License-Identifier: BSD-3-Clause
//
// Lessons of several networks: P3B1's tasks, and features that are learned elsewhere.
#include <networks/catalogue.hpp>
#include <networks/learn.hpp>

namespace networks {

namespace {

using vector = learner::vector;

// The first layer of all tasks, 400 to 1200.
constexpr index_t shared_parameters = (p3b1_features + 1) * 1200;

vector first_of(vector const& all, index_t n) {
    vector some({n}, felt::uninitialized);
    std::copy_n(all.data(), n, some.data());
    return some;
}

// Samples with labels low .. high, at most so many.
samples only(samples const& s, index_t low, index_t high, index_t at_most) {
    std::vector<index_t> chosen;
    for (index_t i = 0; i < s.count() && static_cast<index_t>(chosen.size()) < at_most; ++i)
        if (low <= s.labels(i) && s.labels(i) <= high) chosen.push_back(i);
    index_t const count = static_cast<index_t>(chosen.size()), size = s.x.extent(1);
    samples some;
    some.extents = s.extents, some.classes = s.classes;
    some.x = felt::Tensor<float, 2>({count, size}, felt::uninitialized);
    some.labels = felt::Tensor<index_t, 1>({count});
    for (index_t i = 0; i < count; ++i) {
        index_t const from = chosen[static_cast<std::size_t>(i)];
        std::copy_n(s.x.data() + from * size, size, some.x.data() + i * size);
        some.labels(i) = s.labels(from);
    }
    return some;
}

// What the first layers of a network make of samples, as samples.
samples features(vector const& theta, samples const& s) {
    learner reader(make_keras_features(), s, std::min<index_t>(100, s.count()), {}, 1);
    reader.put_first(first_of(theta, reader.parameters().size()));
    samples f;
    f.x = reader.outputs(s);
    f.extents = {f.x.extent(1)}, f.classes = s.classes, f.labels = s.labels;
    return f;
}
samples as_rows(samples const& s) {
    samples rows = s;
    rows.extents = {s.x.extent(1)};
    return rows;
}

// Scores of a softmax by epoch.
std::vector<double> softmax_scores(samples const& train, samples const& test, lesson const& l,
                                   std::uint64_t seed) {
    learner head(find("softmax").make(), train, l.batch, l.how, seed);
    std::vector<double> scores;
    for (int e = 0; e < l.epochs; ++e) {
        head.epoch(train);
        scores.push_back(score(head.outputs(test), test));
    }
    return scores;
}

}  // namespace

learned learn_tasks(lesson const& l, job const& j) {
    auto const tasks = l.data(j);
    learned to{l, tasks[0].source, 0, 0, {{"Felt"}}};
    index_t steps = 0;
    for (auto const& t : tasks) {
        to.train += t.train.count(), to.test += t.test.count();
        steps += t.train.count() / l.batch;
    }
    lesson_progress shown(l, steps * l.epochs * l.seeds, j);
    for (int seed = l.first_seed; seed < l.first_seed + l.seeds; ++seed) {
        std::vector<learner> learners;
        for (std::size_t t = 0; t < tasks.size(); ++t)
            learners.emplace_back(network_of(l, tasks[t].train), tasks[t].train, l.batch, l.how,
                                  static_cast<std::uint64_t>(100 * seed) + t);
        vector shared = first_of(learners[0].parameters(), shared_parameters);
        to.ways[0].seeds.push_back(seed), to.ways[0].scores.emplace_back();
        for (int e = 0; e < l.epochs; ++e) {
            support::stopwatch const clock;
            for (std::size_t t = 0; t < tasks.size(); ++t) {
                learners[t].put_first(shared);
                learners[t].epoch(tasks[t].train, 0, [&](double c) { shown.step(c); });
                shared = first_of(learners[t].parameters(), shared_parameters);
            }
            to.ways[0].seconds.push_back(clock.seconds());
            std::vector<double> six;
            for (std::size_t t = 0; t < tasks.size(); ++t) {
                learners[t].put_first(shared);
                auto const s =
                    f1(classes_of(learners[t].outputs(tasks[t].test)), tasks[t].test.labels);
                six.push_back(s.macro), six.push_back(s.micro);
            }
            to.ways[0].scores.back().push_back(geometric_mean(six));
            shown.scored(to.ways[0].scores.back().back());
        }
    }
    return to;
}

learned learn_transfer(lesson const& l, job const& j) {
    index_t const all = 1 << 30;
    auto const set = std::move(l.data(j)[0]);
    auto const before = only(set.train, 0, 4, all);
    auto const train = only(set.train, 5, 9, 500), test = only(set.test, 5, 9, all);
    learned to{l,
               set.source,
               train.count(),
               test.count(),
               {{"features of 0 .. 4"}, {"features untrained"}, {"pixels"}}};
    index_t const batch = 128, steps = before.count() / batch;
    lesson_progress shown(l, steps * l.seeds, j);
    for (int k = l.first_seed; k < l.first_seed + l.seeds; ++k) {
        for (way& w : to.ways) w.seeds.push_back(k);
        auto const seed = static_cast<std::uint64_t>(k);
        learner one(find("keras-cnn").make(), before, batch, {rule::adadelta, 1}, seed);
        vector const untrained = one.parameters();
        one.epoch(before, 0, [&](double c) { shown.step(c); });
        for (std::size_t w = 0; w < 2; ++w) {
            vector const& theta = w == 0 ? one.parameters() : untrained;
            to.ways[w].scores.push_back(
                softmax_scores(features(theta, train), features(theta, test), l, seed));
        }
        to.ways[2].scores.push_back(softmax_scores(as_rows(train), as_rows(test), l, seed));
    }
    return to;
}

}  // namespace networks
