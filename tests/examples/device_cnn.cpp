// SPDX-License-Identifier: BSD-3-Clause
//
// The networks train on the device as on the host, to rounding; and a run goes on in the other
// space.
#include "noise.hpp"
#include "scratch.hpp"
#include <cnn/learner.hpp>
#include <cnn/training.hpp>
#include <doctest/doctest.h>

namespace {

using felt::index_t;
using test::some_digits;

struct run {
    cnn::digits d = some_digits(60);
    std::unique_ptr<cnn::learner> net;
    cnn::training t;

    run(cnn::place const& at, cnn::setting const& s)
        : net(at.network(s)), t(s, net->initial_parameters(3), d, 7) {
        at.threads(0);
    }
    void iterate(int n) {
        auto const by = net->train(t, d.x, d.y, std::move(t.optimiser));
        for (int i = 0; i < n; ++i) t.costs.push_back(by->step());
        CHECK(support::distance(by->theta(), by->theta()) == 0);
        t.optimiser = by->stop();
    }
    cnn::batch<float> batch() const { return {d.images(0, 20), felt::view(d.y.data(), {20}), 5}; }
    felt::Tensor<index_t, 1> said() {
        felt::Tensor<index_t, 1> y({20});
        net->classify(felt::fused, batch().x, t.theta(), felt::view(y));
        return y;
    }
};

std::vector<cnn::setting> const settings = {
    {"study", 20, 3, 1, 0}, {"trial", 20, 32, 1, 0}, {"softmax", 20, 10, 1, 0}};

}  // namespace

TEST_CASE("costs, gradients, parameters and answers agree with the host's") {
    REQUIRE(cnn::device() != nullptr);
    for (auto const& s : settings) {
        CAPTURE(s.network);
        run here(cnn::host(), s), there(*cnn::device(), s);
        cnn::vector_f const start = here.t.theta();
        CHECK(bool(felt::all(there.t.theta() == start)));
        cnn::vector_f g(start.extents()), h(start.extents());
        double const a = here.net->cost_and_gradient(felt::fused, here.batch(), start, g);
        double const b = there.net->cost_and_gradient(felt::fused, there.batch(), start, h);
        CHECK(b == doctest::Approx(a).epsilon(1e-5));
        CHECK(support::distance(h, g) < 1e-4);
        here.iterate(5), there.iterate(5);  // into the second epoch
        REQUIRE(there.t.iteration() == 5);
        for (std::size_t i = 0; i < 5; ++i) {
            CHECK(there.t.costs[i] == doctest::Approx(here.t.costs[i]).epsilon(1e-4));
        }
        CHECK(support::distance(there.t.theta(), here.t.theta()) < 1e-4);
        CHECK(support::distance(there.t.theta(), start) > 1e-4);
        CHECK(index_t(sum(felt::cast<index_t>(here.said() == there.said()))) >= 19);
    }
}

TEST_CASE("a state saved in one space goes on in the other, and in its own bit for bit") {
    test::scratch_folder const folder;
    auto const file = (folder / "state.npz").string();
    for (auto const& s : {settings[0], settings[1]}) {
        run whole(*cnn::device(), s), begun(*cnn::device(), s);
        run same(*cnn::device(), s), other(cnn::host(), s);
        whole.iterate(4), begun.iterate(2);
        felt::save_npz(file, cnn::to_npz(begun.t));
        for (run* r : {&same, &other}) {
            cnn::from_npz(felt::load_npz(file), r->t);
            CHECK(r->t.iteration() == 2);
            r->iterate(2);
        }
        CHECK(same.t.costs == whole.t.costs);
        CHECK(support::distance(same.t.theta(), whole.t.theta()) == 0);
        CHECK(other.t.costs[3] == doctest::Approx(whole.t.costs[3]).epsilon(1e-4));
        CHECK(support::distance(other.t.theta(), whole.t.theta()) < 1e-4);
    }
}

TEST_CASE("fused and unfused agree there, and the blocks of a step are timed beside the copies") {
    run there(*cnn::device(), settings[0]);
    auto const c = there.net->compared(there.batch(), there.t.theta());
    CHECK(c.difference < 1e-4);
    CHECK(c.steps.fused.seconds.size() >= 3);
    CHECK(c.steps.fused.bytes == 0);
    CHECK(c.passes.fused.seconds.size() >= 3);
    support::profile p;
    CHECK(there.net->time_blocks(p, there.batch(), there.t.theta()) >= 3);
    std::string names;
    for (auto const& s : p.shares()) names += s.name + "; ";
    CHECK(names ==
          "forward 1, conv 3, 9 x 9 | sigmoid | avg_pool 2 x 2 / 2; forward 2, dense 10; "
          "backward 2, dense 10; backward 1, conv 3, 9 x 9 | sigmoid | avg_pool 2 x 2 / 2; "
          "transfers; ");
}
