// SPDX-License-Identifier: BSD-3-Clause
//
// The networks train on several ranks, here threads, as on one, to rounding; all ranks hold the
// same bits after every step; and a run goes on with another number of ranks.
#include "alike.hpp"
#include "noise.hpp"
#include "scratch.hpp"
#include <cnn/learner.hpp>
#include <cnn/report.hpp>
#include <cnn/training.hpp>
#include <doctest/doctest.h>
#include <felt/distributed/threads.hpp>

namespace {

using felt::index_t;
using test::some_digits;

struct result {
    std::vector<double> costs;
    cnn::vector_f theta;
    double right = 0;
    felt::npz state;
    felt::bucket_times sums;
};

// A run to `total` steps, from the beginning or from a state.
result train(int size, cnn::setting const& s, int total, felt::npz const* from = nullptr) {
    result out;
    cnn::digits const d = some_digits(60);
    felt::run_ranks(size, [&](felt::communicator& ranks) {
        cnn::setting own = s;
        own.batch = support::rows_of(s.batch, ranks).size();
        auto const net = cnn::host().network(own);
        cnn::training t(s, net->initial_parameters(3), d, 7);
        t.ranks = &ranks;
        if (from != nullptr) cnn::from_npz(*from, t);
        auto const by = net->train(t, d.x, d.y, std::move(t.optimiser));
        while (by->iteration() < total) {
            t.costs.push_back(by->step());
            support::check_same(ranks, by->theta(), "parameters");
        }
        double const right = cnn::tested(*net, felt::fused, by->theta(), d, 60, ranks).accuracy();
        felt::bucket_times const sums = by->sums();
        t.optimiser = by->stop();
        if (ranks.is_first()) out = {t.costs, t.theta(), right, cnn::to_npz(t), sums};
    });
    return out;
}

void check_alike(result const& a, result const& b) {
    test::check_costs(a.costs, b.costs);
    CHECK(support::distance(a.theta, b.theta) < 1e-4);
}

std::vector<cnn::setting> const settings = {
    {"study", 20, 3, 1, 0}, {"trial", 20, 32, 1, 0}, {"softmax", 20, 10, 1, 0}};

}  // namespace

TEST_CASE("four ranks with a quarter of the batch are one rank with all of it") {
    for (auto const& s : settings) {
        CAPTURE(s.network);
        auto const one = train(1, s, 5), four = train(4, s, 5);  // into the second epoch
        check_alike(four, one);
        CHECK(std::abs(four.right - one.right) <= 2);
        CHECK(one.sums.steps == 0);
        CHECK(four.sums.steps == 5);
        CHECK(four.sums.bytes == 5 * 4 * one.theta.size());
    }
}

TEST_CASE("so are three, of which one has more images than the others") {
    check_alike(train(3, settings[0], 5), train(1, settings[0], 5));
    check_alike(train(3, settings[1], 3), train(1, settings[1], 3));
}

TEST_CASE("what four ranks have saved goes on with two, with one, and with four bit for bit") {
    auto const whole = train(4, settings[0], 6), begun = train(4, settings[0], 3);
    auto const same = train(4, settings[0], 6, &begun.state);
    CHECK(same.costs == whole.costs);
    CHECK(support::distance(same.theta, whole.theta) == 0);
    for (int size : {1, 2}) check_alike(train(size, settings[0], 6, &begun.state), whole);
}

TEST_CASE("a batch with less than an image for each rank is refused") {
    CHECK_THROWS_WITH_AS(train(3, {"softmax", 2, 10, 1, 0}, 1),
                         "a batch of 2 is too small for 3 ranks", felt::error);
}
