// SPDX-License-Identifier: BSD-3-Clause
//
// The autoencoder trains on the device as on the host, to rounding; and a run goes on in the other
// space.
#include "scratch.hpp"
#include <ae/instances.hpp>
#include <ae/training.hpp>
#include <doctest/doctest.h>

namespace {

using felt::index_t;

ae::shape const net{64, 25, 0.05, 1e-4, 3};

struct run {
    ae::place const& at;
    ae::training<float> t;
    std::unique_ptr<ae::trainer> by = {};

    explicit run(ae::place const& p)
        : at(p), t{felt::lbfgs<float>(ae::initial_parameters<float>(net, 1)), {}, 7, 1} {
        at.threads(0);
    }

    void iterate(int n) {
        by = at.train(net, felt::uniform<float>({64, 500}, 4), std::move(t.optimiser));
        t.start(*by);
        for (int i = 0; i < n; ++i) REQUIRE(t.step(*by));
        t.optimiser = by->stop();
    }
};

double apart(ae::vector_f const& a, ae::vector_f const& b) { return support::distance(a, b); }

}  // namespace

TEST_CASE("costs and parameters agree with the host's") {
    REQUIRE(ae::device() != nullptr);
    run here(ae::host()), there(*ae::device());
    here.iterate(8), there.iterate(8);
    REQUIRE(there.t.costs.size() == 9);
    for (std::size_t i = 0; i < 9; ++i) {
        CHECK(there.t.costs[i] == doctest::Approx(here.t.costs[i]).epsilon(1e-4));
    }
    CHECK(there.t.costs[8] < there.t.costs[0]);
    CHECK(apart(there.t.optimiser.x(), here.t.optimiser.x()) < 1e-3);
    CHECK(apart(there.t.optimiser.gradient(), here.t.optimiser.gradient()) < 1e-2);
    CHECK(there.t.optimiser.evaluations() == here.t.optimiser.evaluations());
}

TEST_CASE("a state saved in one space goes on in the other, and in its own bit for bit") {
    test::scratch_folder const folder;
    auto const file = (folder / "state.npz").string();
    for (ae::place const* first : {&ae::host(), ae::device()}) {
        run whole(*first);
        whole.iterate(9);
        run begun(*first), same(*first), other(first == ae::device() ? ae::host() : *ae::device());
        begun.iterate(5);
        felt::save_npz(file, ae::to_npz(begun.t, "patches"));
        for (run* r : {&same, &other}) {
            ae::from_npz(felt::load_npz(file), r->t);
            CHECK(r->t.optimiser.iteration() == 5);
            r->iterate(4);
            CHECK(r->t.costs.size() == 10);
        }
        CHECK(same.t.costs == whole.t.costs);
        CHECK(apart(same.t.optimiser.x(), whole.t.optimiser.x()) == 0);
        CHECK(other.t.costs[9] == doctest::Approx(whole.t.costs[9]).epsilon(1e-4));
        CHECK(apart(other.t.optimiser.x(), whole.t.optimiser.x()) < 1e-3);
    }
}

TEST_CASE("fused and unfused agree there, and the stages of a step are timed beside the copies") {
    run there(*ae::device());
    there.iterate(1);
    auto const start = ae::initial_parameters<float>(net, 1);
    auto const c = there.by->compared(start, 0);
    CHECK(c.difference < 1e-4);
    CHECK(c.fused.seconds.size() == 3);
    CHECK(c.fused.bytes == 0);
    support::profile p;
    CHECK(there.by->time_stages(p, start) >= 3);
    REQUIRE(p.shares().size() == 5);
    CHECK(p.shares()[0].name == "hidden layer");
    CHECK(p.shares()[4].name == "transfers");
    CHECK(p.percent("transfers") < 50);
    CHECK(there.by->seconds() > 0);
    CHECK(felt::all_close(there.by->samples(), felt::uniform<float>({64, 500}, 4), 0, 0));
}
