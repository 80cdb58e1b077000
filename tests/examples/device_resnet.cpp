// SPDX-License-Identifier: BSD-3-Clause
//
// Residual networks train and answer on the device as on the host, to rounding; and a run goes on
// in the other space.
#include "scratch.hpp"
#include <felt/npz.hpp>
#include <resnet/features.hpp>
#include <resnet/training.hpp>
#include <doctest/doctest.h>

namespace {

using felt::index_t;

// Made images, of which two seldom have the same label.
struct images {
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> x;
    felt::Tensor<index_t, 1> y;

    images(resnet::shape const& s, index_t count, std::uint64_t seed)
        : x({count, 3, s.side, s.side}), y({count}) {
        x = felt::normal<float>(x.extents(), seed);
        for (index_t i = 0; i < count; ++i) y(i) = i % s.classes;
    }
    resnet::batch_f batch() const { return {felt::view(x), felt::view(y)}; }
};

resnet::shape basic(resnet::shortcut change) {
    resnet::shape s = resnet::cifar(8);
    s.side = 8, s.width = 4, s.change = change;
    return s;
}
resnet::shape bottleneck(bool stride_first) {
    return {.side = 32, .classes = 5, .width = 4, .blocks = {1, 2}, .stride_first = stride_first};
}
struct named {
    char const* name;
    resnet::shape of;
};
std::vector<named> const shapes = {{"basic, padded", basic(resnet::shortcut::padded)},
                                   {"basic, projected", basic(resnet::shortcut::projected)},
                                   {"bottleneck", bottleneck(false)},
                                   {"bottleneck, stride first", bottleneck(true)}};

// Steps of a network from its initial parameters.
struct run {
    resnet::place const& at;
    resnet::shape s;
    resnet::layers<> l{s};
    felt::sgd<float> optimiser{resnet::initial_parameters<float>(s, l, 3)};
    resnet::vector_f running = resnet::initial_running<float>(l);
    resnet::matrix_f log_p;
    std::vector<double> costs;

    run(resnet::place const& p, resnet::shape const& of) : at(p), s(of) { at.threads(0); }

    void steps(int n, resnet::way w = felt::fused) {
        auto const by = at.train(s, 6, std::move(optimiser), running, {});
        for (int i = 0; i < n; ++i) {
            images const some(s, 6, static_cast<std::uint64_t>(by->iteration()));
            costs.push_back(
                by->step(w, some.batch(), {.rate = 0.05, .momentum = 0.9, .weight_decay = 1e-4}));
        }
        log_p = by->log_probabilities(), running = by->running();
        optimiser = by->stop();
    }
    resnet::matrix_f logits(resnet::way w) const {
        images const some(s, 6, 100);
        auto const by = at.read(s, 6);
        by->start(optimiser.x(), running);
        return by->logits(w, some.batch());
    }
};

double apart(auto const& own, auto const& right) {
    return double(float(max(abs(own - right)))) / double(float(max(abs(right))));
}

}  // namespace

TEST_CASE("costs, gradients, parameters, what is running and logits agree with the host's") {
    REQUIRE(resnet::device() != nullptr);
    for (auto const& [name, s] : shapes) {
        for (resnet::way const w : {resnet::way(felt::fused), resnet::way(felt::unfused)}) {
            CAPTURE(name);
            run here(resnet::host(), s), there(*resnet::device(), s);
            resnet::vector_f const start = here.optimiser.x();
            images const some(s, 5, 200);
            resnet::vector_f g(start.extents()), h(start.extents());
            double const a = here.at.cost_and_gradient(w, s, some.batch(), start, here.running, g);
            double const b =
                there.at.cost_and_gradient(w, s, some.batch(), start, there.running, h);
            CHECK(b == doctest::Approx(a).epsilon(1e-5));
            CHECK(support::distance(h, g) < 1e-3);
            here.steps(4, w), there.steps(4, w);
            for (std::size_t i = 0; i < 4; ++i) {
                CHECK(there.costs[i] == doctest::Approx(here.costs[i]).epsilon(1e-3));
            }
            CHECK(support::distance(there.optimiser.x(), here.optimiser.x()) < 1e-3);
            CHECK(support::distance(there.optimiser.x(), start) > 1e-2);
            CHECK(support::distance(there.running, here.running) < 1e-3);
            CHECK(apart(there.log_p, here.log_p) < 1e-2);
            there.optimiser = here.optimiser, there.running = here.running;
            CHECK(apart(there.logits(w), here.logits(w)) < 1e-4);
        }
    }
}

TEST_CASE("a state saved in one space goes on in the other, and in its own bit for bit") {
    for (auto const& [name, s] : {shapes[0], shapes[2]}) {
        CAPTURE(name);
        run whole(*resnet::device(), s), same(*resnet::device(), s), other(*resnet::device(), s);
        whole.steps(4), same.steps(2), same.steps(2), other.steps(2);
        run on_host(resnet::host(), s);
        on_host.optimiser = std::move(other.optimiser), on_host.running = other.running;
        on_host.steps(2);
        CHECK(same.costs == whole.costs);
        CHECK(support::distance(same.optimiser.x(), whole.optimiser.x()) == 0);
        CHECK(bool(felt::all(same.running == whole.running)));
        CHECK(on_host.optimiser.iteration() == 4);
        CHECK(on_host.costs[1] == doctest::Approx(whole.costs[3]).epsilon(1e-3));
        CHECK(support::distance(on_host.optimiser.x(), whole.optimiser.x()) < 1e-3);
        CHECK(support::distance(on_host.running, whole.running) < 1e-3);
    }
}

TEST_CASE("features are the host's, and their last part is not full") {
    resnet::shape const s = basic(resnet::shortcut::padded);
    resnet::shape large = s;
    large.side = 32;
    resnet::small_pictures const some(support::generated_shapes(70, 1));
    run const there(*resnet::device(), large);
    auto const& theta = there.optimiser.x();
    auto const own = resnet::features_of(there.at, large, theta, there.running, some);
    auto const right = resnet::features_of(resnet::host(), large, theta, there.running, some);
    CHECK(own.extent(0) == 70);
    CHECK(apart(own, right) < 1e-4);
}

TEST_CASE("fused and unfused agree there and are timed") {
    run const there(*resnet::device(), shapes[2].of);
    images const some(there.s, 6, 1);
    auto const c = there.at.compared(there.s, some.batch(), there.optimiser.x(), there.running);
    CHECK(c.difference < 1e-2);
    CHECK(c.steps.fused.seconds.size() >= 3);
    CHECK(c.steps.fused.bytes == 0);
    CHECK(c.passes.fused.seconds.size() >= 3);
    CHECK(there.at.transferred() > 0);
}
