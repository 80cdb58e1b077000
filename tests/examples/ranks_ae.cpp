// SPDX-License-Identifier: BSD-3-Clause
//
// The autoencoder trains on several ranks, here threads, as on one, to rounding: its sparsity is of
// all samples, and L-BFGS goes the same way on every rank.
#include <ae/instances.hpp>
#include <ae/training.hpp>
#include <doctest/doctest.h>
#include <felt/distributed/threads.hpp>

namespace {

using felt::index_t;

ae::shape const net{64, 25, 0.05, 1e-4, 3};

struct result {
    std::vector<double> costs;
    ae::vector_f theta, gradient;
};

result train(int size, int iterations) {
    result out;
    ae::matrix_f const x = felt::uniform<float>({64, 502}, 4);
    felt::run_ranks(size, [&](felt::communicator& ranks) {
        auto const rows = support::rows_of(502, ranks);
        ae::matrix_f own = slice(x, felt::all(), felt::range(rows.begin, rows.end));
        ae::training<float> t{felt::lbfgs<float>(ae::initial_parameters<float>(net, 1)), {}, 7, 1};
        auto const by =
            ae::host().train(net, std::move(own), std::move(t.optimiser), ranks, rows.of);
        t.start(*by);
        for (int i = 0; i < iterations; ++i) {
            if (!t.step(*by)) throw felt::error("ended early");
            support::check_same(ranks, by->state().x(), "parameters");
        }
        t.optimiser = by->stop();
        if (ranks.is_first()) out = {t.costs, t.optimiser.x(), t.optimiser.gradient()};
    });
    return out;
}

}  // namespace

TEST_CASE("two, three and four ranks with some of the samples are one rank with all") {
    auto const one = train(1, 8);
    for (int size : {2, 3, 4}) {
        auto const several = train(size, 8);
        REQUIRE(several.costs.size() == 9);
        for (std::size_t i = 0; i < 9; ++i) {
            CHECK(several.costs[i] == doctest::Approx(one.costs[i]).epsilon(1e-4));
        }
        CHECK(support::distance(several.theta, one.theta) < 1e-3);
        CHECK(support::distance(several.gradient, one.gradient) < 1e-2);
    }
}
