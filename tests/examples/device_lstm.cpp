// SPDX-License-Identifier: BSD-3-Clause
//
// The language model trains on the device as on the host, to rounding; and a run goes on in the
// other space, with the state of its layers.
#include "scratch.hpp"
#include <doctest/doctest.h>
#include <felt/npz.hpp>
#include <lstm/training.hpp>

namespace {

using felt::index_t;

struct run {
    lstm::place const& at;
    lstm::shape size{12, 8, 2, {}};
    lstm::setting how{"characters", 4, 6, 8, 3, 0, 2, 0.5};
    lstm::corpus text{numbers(), 6, 4};
    lstm::net model{size, 6, 4};
    lstm::training t{how, model, lstm::net::initial_parameters(size, 7), text, 7};

    explicit run(lstm::place const& p) : at(p) { at.threads(0); }

    static std::vector<int> numbers() {
        std::vector<int> list(150);
        for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<int>(i * i % 12);
        return list;
    }
    void iterate(int n) {
        auto const by = at.train(size, 6, 4, how.clip, model, std::move(t.optimiser));
        for (int i = 0; i < n; ++i) t.step(*by, text);
        t.optimiser = by->stop();
    }
};

}  // namespace

TEST_CASE("costs, parameters and what is read agree with the host's") {
    REQUIRE(lstm::device() != nullptr);
    run here(lstm::host()), there(*lstm::device());
    here.iterate(9), there.iterate(9);  // into the second epoch
    REQUIRE(there.t.per_epoch == 6);
    REQUIRE(there.t.iteration() == 9);
    for (std::size_t i = 0; i < 9; ++i) {
        CHECK(there.t.costs[i] == doctest::Approx(here.t.costs[i]).epsilon(1e-4));
    }
    CHECK(support::distance(there.t.theta(), here.t.theta()) < 1e-3);
    auto const a = here.at.read(here.size, 6, 4), b = there.at.read(there.size, 6, 4);
    a->start(here.t.theta()), b->start(here.t.theta());
    for (index_t k = 0; k < 2; ++k) {
        double const known = a->cost(here.text.window(k));
        CHECK(b->cost(here.text.window(k)) == doctest::Approx(known).epsilon(1e-5));
        CHECK(felt::all_close(b->probabilities(), a->probabilities(), 1e-4, 1e-6));
    }
}

TEST_CASE("a state saved in one space goes on in the other, and in its own bit for bit") {
    test::scratch_folder const folder;
    auto const file = (folder / "state.npz").string();
    for (lstm::place const* first : {&lstm::host(), lstm::device()}) {
        run whole(*first), begun(*first), same(*first);
        run other(first == lstm::device() ? lstm::host() : *lstm::device());
        whole.iterate(10), begun.iterate(8);  // the layers have a state to carry
        felt::save_npz(file, lstm::to_npz(begun.t));
        for (run* r : {&same, &other}) {
            lstm::from_npz(felt::load_npz(file), r->t);
            CHECK(r->t.iteration() == 8);
            r->iterate(2);
        }
        CHECK(same.t.costs == whole.t.costs);
        CHECK(support::distance(same.t.theta(), whole.t.theta()) == 0);
        CHECK(other.t.costs[9] == doctest::Approx(whole.t.costs[9]).epsilon(1e-4));
        CHECK(support::distance(other.t.theta(), whole.t.theta()) < 1e-3);
    }
}

TEST_CASE("fused and unfused agree there, and the stages of a step are timed beside the copies") {
    run const there(*lstm::device());
    auto const c = there.at.compared(there.size, 6, 4);
    CHECK(c.difference < 1e-4);
    CHECK(c.steps.fused.seconds.size() >= 3);
    CHECK(c.passes.fused.seconds.size() >= 3);
    CHECK(c.steps.fused.bytes == 0);
    support::profile p;
    CHECK(there.at.time_stages(p, there.size, 6, 4) >= 3);
    CHECK(p.percent("LSTM backward") > 0);
    CHECK(p.percent("transfers") > 0);
}
