// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <doctest/doctest.h>
#include <networks/catalogue.hpp>
#include <networks/learn.hpp>
#include <csignal>

using felt::index_t;
using networks::learner;

namespace {

networks::samples digits(index_t n) {
    auto s = networks::mnist("/nowhere", {n, 10}, 3).train;
    s.extents = {s.x.extent(1)};
    return s;
}

}  // namespace

TEST_CASE("a softmax learns generated digits, and the same from the same seed") {
    auto const s = digits(200);
    std::vector<double> scores;
    for (std::uint64_t seed : {1, 1, 2}) {
        learner one(networks::find("softmax").make(), s, 32, {networks::rule::sgd, .1}, seed);
        double const before = networks::score(one.outputs(s), s), first = one.epoch(s);
        double last = first;
        for (int e = 0; e < 9; ++e) last = one.epoch(s);
        CHECK(last < first);
        scores.push_back(networks::score(one.outputs(s), s));
        CHECK(scores.back() > before + 0.2);
        CHECK(one.outputs(s).extents() == felt::extents<2>{{200, 10}});  // no multiple of 32
        scores.back() += last;
    }
    CHECK(scores[0] == scores[1]);
    CHECK(scores[0] != scores[2]);
}

TEST_CASE("an epoch has as many steps as whole batches, or as one asks for") {
    auto const s = digits(70);
    learner one(networks::find("softmax").make(), s, 32, {networks::rule::adadelta, 1}, 1);
    int steps = 0;
    one.epoch(s, 0, [&](double) { ++steps; });
    CHECK(steps == 2);
    one.epoch(s, 1, [&](double) { ++steps; });
    CHECK(steps == 3);
    CHECK_THROWS_WITH_AS(learner(networks::find("softmax").make(), s, 71, {}, 1),
                         "batches of 71 from 70 samples", felt::shape_error);
}

TEST_CASE("each lesson has as many epochs and seeds as one asks for") {
    networks::job j;
    j.epochs = 3, j.seeds = 2, j.batch = 7, j.first_seed = 4;
    for (auto const& l : networks::lessons(j)) {
        CHECK(l.first_seed == 4);
        CHECK(l.epochs == 3);
        CHECK(l.seeds == 2);
        CHECK(l.batch == 7);
    }
    j.names = {"softmax", "nothing"};
    test::scratch_folder const folder;
    j.out_given = true, j.out = folder.path.string();
    CHECK_THROWS_WITH_AS(networks::learn(j),
                         doctest::Contains("no lesson for 'nothing'. There are: softmax keras-"),
                         felt::error);
}

TEST_CASE("a lesson can be interrupted") {
    networks::job j;
    j.names = {"yacht"}, j.data = "/nowhere", j.quiet = true;
    test::scratch_folder const folder;
    j.out_given = true, j.out = folder.path.string();
    support::catch_interrupts();
    std::raise(SIGTERM);
    CHECK_THROWS_WITH_AS(networks::learn(j), "interrupted", felt::error);
    support::catch_interrupts();
    j.force = true, j.epochs = 1, j.seeds = 1;
    CHECK(networks::learn(j) == 0);
    std::signal(SIGTERM, SIG_DFL), std::signal(SIGINT, SIG_DFL);
}

TEST_CASE("mean and deviation are of the last scores") {
    networks::way const w{"", {1, 2}, {{.1, .5}, {.2, .7}}};
    CHECK(w.mean() == doctest::Approx(.6));
    CHECK(w.deviation() == doctest::Approx(std::sqrt(.02)));
    CHECK(networks::way{"", {1}, {{.1, .5}}}.deviation() == 0);
}
