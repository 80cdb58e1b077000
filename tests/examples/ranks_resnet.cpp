// SPDX-License-Identifier: BSD-3-Clause
//
// Residual networks train on several ranks, here threads, as on one, to rounding, if statistics are
// synchronised; all ranks hold the same bits after every step, in any case; and a run goes on with
// another number of ranks.
#include "alike.hpp"
#include <doctest/doctest.h>
#include <felt/distributed/threads.hpp>
#include <felt/npz_arrays.hpp>
#include <resnet/learner.hpp>
#include <resnet/report.hpp>
#include <resnet/training.hpp>

namespace {

using felt::index_t;

resnet::setting small(char const* batch_norm = "synchronised", index_t batch = 20) {
    resnet::setting s;
    s.layers = 8, s.width = 4, s.batch = batch, s.rate = 0.02, s.batch_norm = batch_norm;
    return s;
}

struct result {
    std::vector<double> costs, right;
    resnet::vector_f theta, running;
    resnet::accuracy held_out;
    felt::npz state;
    felt::bucket_times sums;
    resnet::statistics_times statistics;
};

// A run to `total` steps, from the beginning or from a state.
result train(int size, resnet::setting const& s, int total, felt::npz const* from = nullptr) {
    result out;
    resnet::small_pictures const p(support::generated_shapes(60, 1));
    felt::run_ranks(size, [&](felt::communicator& ranks) {
        auto const own = support::rows_of(s.batch, ranks);
        resnet::training t(s, p, 7);
        if (from != nullptr) resnet::from_npz(*from, t);
        auto const by = resnet::host().train(shape_of(s), own.size(), std::move(t.optimiser),
                                             t.running, {&ranks, s.batch_norm == "synchronised"});
        resnet::batches next(p, s.batch, {own.begin, own.end}, t.seed);
        while (by->iteration() < total) {
            auto const b = next.next(by->iteration());
            auto const o = resnet::options_at(s, by->iteration(), t.per_epoch());
            t.costs.push_back(by->step(felt::fused, b, o));
            t.right.push_back(resnet::percent_right(by->log_probabilities(), b, ranks));
            support::check_same(ranks, by->theta(), "parameters");
            support::check_same(ranks, by->running(), "running statistics");
        }
        auto const reader = resnet::host().read(shape_of(s), 16);
        reader->start(by->theta(), by->running());
        auto const held_out = resnet::tested(*reader, felt::fused, p, 50, ranks);
        auto const sums = by->sums();
        auto const statistics = by->statistics();
        t.running = by->running(), t.optimiser = by->stop();
        if (!ranks.is_first()) return;
        out = {t.costs, t.right, t.optimiser.x(), t.running, held_out, to_npz(t), sums, statistics};
    });
    return out;
}

void check_alike(result const& a, result const& b) {
    test::check_costs(a.costs, b.costs);
    CHECK(support::distance(a.theta, b.theta) < 1e-3);
    CHECK(support::distance(a.running, b.running) < 1e-4);
    for (std::size_t i = 0; i < b.right.size(); ++i) CHECK(std::abs(a.right[i] - b.right[i]) <= 5);
    CHECK(std::abs(a.held_out.top1 - b.held_out.top1) <= 4);
    CHECK(std::abs(a.held_out.top5 - b.held_out.top5) <= 4);
}

}  // namespace

TEST_CASE("two and four ranks with some of the batch are one rank with all of it") {
    auto const one = train(1, small(), 5);  // into the second epoch
    CHECK(one.sums.steps == 0);
    CHECK(one.statistics.sums == 0);
    for (int size : {2, 4}) {
        auto const several = train(size, small(), 5);
        check_alike(several, one);
        CHECK(several.sums.steps == 5);
        CHECK(several.sums.bytes == 5 * 4 * one.theta.size());
        CHECK(several.statistics.sums == 5 * 7 * 2);  // of each convolution, in both passes
        CHECK(several.statistics.bytes == 5 * 2 * 4 * one.running.size());
    }
}

TEST_CASE("so are three, of which one has fewer images than the others") {
    check_alike(train(3, small(), 4), train(1, small(), 4));
}

TEST_CASE("gradients through bottlenecks, projections and a maximum pool are summed, too") {
    resnet::shape of = resnet::resnet50();
    of.side = 32, of.classes = 10, of.width = 4, of.blocks = {1, 2};
    resnet::layers<> const l(of);
    resnet::small_pictures const p(support::generated_shapes(10, 1));
    auto const theta = resnet::initial_parameters<float>(of, l, 3);
    auto const gradient = [&](int size) {
        resnet::vector_f g;
        felt::run_ranks(size, [&](felt::communicator& ranks) {
            auto const own = support::rows_of(10, ranks);
            auto const by = resnet::host().train(of, own.size(), felt::sgd<float>(theta),
                                                 resnet::initial_running<float>(l), {&ranks});
            by->step(felt::fused, resnet::batches(p, 10, {own.begin, own.end}, 1).next(0), {});
            support::check_same(ranks, by->theta(), "parameters");
            if (ranks.is_first()) g = by->state().gradient();
        });
        return g;
    };
    auto const one = gradient(1);
    for (int size : {2, 3}) CHECK(support::distance(gradient(size), one) < 1e-4);
}

TEST_CASE("with statistics of its own each rank learns too, and all have the mean of them") {
    auto const own = train(4, small("local"), 5), all = train(4, small(), 1);
    CHECK(own.statistics.sums == 5);
    CHECK(own.costs.back() == doctest::Approx(own.costs.front()).epsilon(0.3));
    auto const first = train(3, small("local"), 1);
    resnet::layers<> const l(shape_of(small()));
    auto const mean = l.stem.mean.in(first.running), right = l.stem.mean.in(all.running);
    CHECK(felt::all_close(mean, right, 1e-4, 1e-6));
    auto const one = train(1, small("local"), 2);  // of one rank the batch is its own
    CHECK(one.costs == train(1, small(), 2).costs);
}

TEST_CASE("what four ranks have saved goes on with two, with one, and with four bit for bit") {
    for (char const* batch_norm : {"synchronised", "local"}) {
        auto const s = small(batch_norm);
        auto const whole = train(4, s, 6), begun = train(4, s, 3);
        CHECK(resnet::setting_of(begun.state).batch_norm == batch_norm);
        auto const same = train(4, s, 6, &begun.state);
        CHECK(same.costs == whole.costs);
        CHECK(support::distance(same.theta, whole.theta) == 0);
        CHECK(support::distance(same.running, whole.running) == 0);
        if (s.batch_norm == "local") continue;
        for (int size : {1, 2}) check_alike(train(size, s, 6, &begun.state), whole);
    }
}

TEST_CASE("a batch with less than an image for each rank is refused") {
    CHECK_THROWS_WITH_AS(train(3, small("local", 2), 1), "a batch of 2 is too small for 3 ranks",
                         felt::error);
}

TEST_CASE("without --batch each rank has 32 photographs, and the rate grows with them") {
    felt::run_ranks(3, [](felt::communicator& ranks) {
        resnet::job j;
        j.images = "photographs", j.ranks = &ranks;
        CHECK(resnet::chosen(j, {}).batch == 96);
        CHECK(resnet::chosen(j, {}).rate == doctest::Approx(0.0375));
        j.batch = 64;
        CHECK(resnet::chosen(j, {}).batch == 64);
        CHECK(resnet::chosen(j, {}).rate == doctest::Approx(0.025));
    });
}
