// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <doctest/doctest.h>
#include <networks/merit.hpp>
#include <cmath>

namespace {

// As fast as the reference, by so many instances.
double merit_at_reference(char const* network, int instances) {
    auto const* b = networks::benchmark_of(network);
    REQUIRE(b != nullptr);
    return networks::figure_of_merit(*b, b->reference / b->samples, instances);
}

}  // namespace

TEST_CASE("figures of merit follow CORAL-2's formulas") {
    for (char const* name : {"p1b1", "p3b1", "alexnet", "vgg-a", "basic-lstm"}) {
        CHECK(merit_at_reference(name, 14000) == doctest::Approx(1));
        CHECK(merit_at_reference(name, 7) == doctest::Approx(5e-4));
    }
    CHECK(merit_at_reference("resnet-50", 50) == doctest::Approx(10));
    CHECK(networks::benchmark_of("softmax") == nullptr);
    // 27 steps of 100 profiles for 100 epochs, 1 s each, by 14 instances.
    CHECK(networks::figure_of_merit(*networks::benchmark_of("p1b1"), .01, 14) ==
          doctest::Approx(1886.4036 / 2700 / 1000));
    for (auto const& b : networks::benchmarks()) CHECK_NOTHROW(networks::find(b.network));
}

TEST_CASE("parts are geometric means, and all of them are weighted") {
    std::vector<double> f(networks::benchmarks().size(), 0);
    CHECK(networks::merits_of(f).parts.empty());
    f[0] = 2, f[1] = 8;
    auto const candle = networks::merits_of(f);
    REQUIRE(candle.parts.size() == 1);
    CHECK(candle.parts[0].second == doctest::Approx(4));
    CHECK(candle.overall == 0);
    for (std::size_t k = 2; k < f.size(); ++k) f[k] = k == 7 ? 10 : k == 6 ? 3 : 1;
    CHECK(networks::merits_of(f).overall == doctest::Approx((5 * 4 + 1 + 2 * 3 + 5 * 10) / 13.0));
}

TEST_CASE("instances run side by side, and each is measured") {
    networks::job j;
    j.steps = 2, j.batch = 3, j.instances = 3;
    for (char const* name : {"softmax", "basic-rnn", "alexnet-r"}) {
        auto const m = networks::measure_instances(networks::find(name), false, j);
        REQUIRE(m.base.size() == 3);
        REQUIRE(m.optimised.size() == 3);
        for (std::size_t k = 0; k < 3; ++k) CHECK((m.base[k] > 0 && m.optimised[k] > 0));
        CHECK(networks::longest(m.base) >= m.base[1]);
    }
}

TEST_CASE("what an instance throws is thrown, when all have ended") {
    networks::entry broken = networks::find("softmax");
    broken.sample = {-1};
    networks::job j;
    j.steps = 1, j.instances = 2;
    CHECK_THROWS_AS(networks::measure_instances(broken, false, j), felt::error);
}

TEST_CASE("the report has a table, figures and a chart") {
    test::scratch_folder const folder;
    networks::job j;
    j.steps = 1, j.batch = 2, j.instances = 2, j.names = {"softmax", "p3b1"};
    j.out = (folder / "out").string(), j.out_given = true, j.quiet = true;
    CHECK(networks::throughput(j) == 0);
    for (char const* file : {"merit.json", "instances.svg"})
        CHECK(std::filesystem::exists(folder / "out" / file));
}
