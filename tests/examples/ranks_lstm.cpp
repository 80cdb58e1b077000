// SPDX-License-Identifier: BSD-3-Clause
//
// The language model trains on several ranks, here threads, as on one, to rounding, and its state
// goes from one number of ranks to another.
#include "alike.hpp"
#include "scratch.hpp"
#include <doctest/doctest.h>
#include <felt/distributed/threads.hpp>
#include <felt/npz.hpp>
#include <lstm/report.hpp>
#include <lstm/training.hpp>

namespace {

using felt::index_t;

std::vector<int> numbers() {
    std::vector<int> list(150);
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<int>(i * i % 12);
    return list;
}

struct result {
    std::vector<double> costs;
    lstm::vector_f theta;
    double perplexity = 0;
    felt::npz state;
};

result train(int size, int total, felt::npz const* from = nullptr) {
    result out;
    lstm::shape const net{12, 8, 2, {}};
    lstm::setting const s{"characters", 4, 6, 8, 3, 0, 2, 0.5};
    felt::run_ranks(size, [&](felt::communicator& ranks) {
        index_t const own = support::rows_of(s.batch, ranks).size();
        lstm::corpus text(numbers(), s.steps, s.batch, ranks);
        lstm::net model(net, s.steps, own);
        lstm::training t(s, model, lstm::net::initial_parameters(net, 7), text, 7);
        t.ranks = &ranks;
        if (from != nullptr) lstm::from_npz(*from, t);
        auto const by =
            lstm::host().train(net, s.steps, own, s.clip, model, std::move(t.optimiser), ranks);
        while (by->iteration() < total) {
            t.step(*by, text);
            support::check_same(ranks, by->theta(), "parameters");
        }
        t.optimiser = by->stop();
        auto const reader = lstm::host().read(net, s.steps, own);
        double const found = lstm::perplexity(*reader, t.theta(), text, 3, ranks);
        auto const state = lstm::to_npz(t);
        if (ranks.is_first()) out = {t.costs, t.theta(), found, state};
    });
    return out;
}

void check_alike(result const& a, result const& b) {
    test::check_costs(a.costs, b.costs);
    CHECK(support::distance(a.theta, b.theta) < 1e-3);
    CHECK(a.perplexity == doctest::Approx(b.perplexity).epsilon(1e-4));
}

}  // namespace

TEST_CASE("two, three and four ranks with some of the sequences are one rank with all") {
    auto const one = train(1, 9);  // into the second epoch
    for (int size : {2, 3, 4}) check_alike(train(size, 9), one);
}

TEST_CASE("what three ranks have saved goes on with one, two and three, state and all") {
    auto const whole = train(3, 10), begun = train(3, 8);
    CHECK(begun.state.array("state.h1").extents == std::vector<index_t>{4, 8});
    auto const same = train(3, 10, &begun.state);
    CHECK(same.costs == whole.costs);
    CHECK(support::distance(same.theta, whole.theta) == 0);
    for (int size : {1, 2}) check_alike(train(size, 10, &begun.state), whole);
}
