// SPDX-License-Identifier: BSD-3-Clause
#include <networks/learn.hpp>
#include <networks/learn_report.hpp>
#include <networks/learn_torch.hpp>
#include <networks/torch.hpp>
#include <iostream>

namespace networks {

namespace {

std::vector<lesson> asked(job const& j) {
    auto const all = lessons(j);
    if (j.names.empty()) return all;
    std::vector<lesson> some;
    for (auto const& name : j.names) {
        auto const at = std::find_if(all.begin(), all.end(),
                                     [&](lesson const& l) { return l.network == name; });
        if (at != all.end()) {
            some.push_back(*at);
            continue;
        }
        std::string names;
        for (lesson const& l : all) names += " " + l.network;
        throw felt::error("no lesson for '" + name + "'. There are:" + names);
    }
    return some;
}

void say_without_torch(lesson const& l) {
    std::cout << l.network << ": PyTorch has no lesson of this" << std::endl;
}

}  // namespace

learned learn_one(lesson const& l, job const& j) {
    auto const set = std::move(l.data(j)[0]);
    learned to{l, set.source, set.train.count(), set.test.count(), {{"Felt"}}};
    index_t const all = set.train.count() / l.batch, steps = steps_of(l, set.train.count());
    lesson_progress shown(l, steps * l.seeds, j);
    way& w = to.ways[0];
    for (int seed = l.first_seed; seed < l.first_seed + l.seeds; ++seed) {
        learner one(network_of(l, set.train), set.train, l.batch, l.how,
                    static_cast<std::uint64_t>(seed));
        w.seeds.push_back(seed), w.scores.emplace_back();
        for (index_t done = 0; done < steps; done += all) {
            support::stopwatch const clock;
            one.epoch(set.train, std::min(all, steps - done), [&](double c) { shown.step(c); });
            w.seconds.push_back(clock.seconds());
            w.scores.back().push_back(score(one.outputs(set.test), set.test));
            shown.scored(w.scores.back().back());
        }
    }
    return to;
}

int learn(job const& j) {
    auto const some = asked(j);
    std::vector<std::string> names;
    for (lesson const& l : some) names.push_back(l.network);
    learned_files files(j, names);
    if (!j.python.empty()) check_torch(j.python);
    felt::threads(j.threads);
    std::vector<learned> all;
    for (lesson const& l : some) {
        all.push_back(l.by(l, j));
        files.write(all);
        if (j.python.empty()) continue;
        if (l.by_torch) add(all, learn_by_torch(l, j), "PyTorch");
        else say_without_torch(l);
        files.write(all);
    }
    files.report(all);
    return 0;
}

int write_lessons(job const& j) {
    for (lesson const& l : asked(j)) {
        if (!l.by_torch) {
            say_without_torch(l);
            continue;
        }
        auto const folder = support::fs::path(j.lessons) / l.network;
        write_lesson(l, j, folder);
        std::cout << folder.string() << std::endl;
    }
    return 0;
}

}  // namespace networks
