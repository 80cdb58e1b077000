// SPDX-License-Identifier: BSD-3-Clause
#include <felt/nn/schedule.hpp>
#include <doctest/doctest.h>
#include <felt/nn/sgd.hpp>

using felt::index_t;

TEST_CASE("the rate warms up from the base to base times ranks, then drops three times") {
    felt::rate_schedule const s{.base = 0.0125, .ranks = 8, .steps = 100};
    // lr / size * (e * (size - 1) / 5 + 1) with e = epoch + (batch + 1) / steps
    for (index_t step : {0, 1, 99, 100, 123, 498, 499}) {
        double const e =
            static_cast<double>(step / 100) + static_cast<double>(step % 100 + 1) / 100;
        CHECK(s.rate(step) == doctest::Approx(0.1 / 8 * (e * 7 / 5 + 1)).epsilon(1e-14));
    }
    CHECK(s.rate(0) == doctest::Approx(0.0125 * (1 + 0.01 * 7 / 5)));
    CHECK(s.rate(499) == doctest::Approx(0.1));
    CHECK(s.rate(500) == 0.1);
    CHECK(s.rate(2999) == 0.1);
    CHECK(s.rate(3000) == doctest::Approx(0.01));
    CHECK(s.rate(5999) == doctest::Approx(0.01));
    CHECK(s.rate(6000) == doctest::Approx(1e-3));
    CHECK(s.rate(7999) == doctest::Approx(1e-3));
    CHECK(s.rate(8000) == doctest::Approx(1e-4));
    CHECK(s.rate(8999) == doctest::Approx(1e-4));
}

TEST_CASE("one rank has the base from the first step on, and so has who does not warm up") {
    felt::rate_schedule const one{.base = 0.3, .steps = 7};
    for (index_t step = 0; step < 7 * 30; ++step) CHECK(one.rate(step) == doctest::Approx(0.3));
    felt::rate_schedule const cold{.base = 0.5, .ranks = 4, .steps = 7, .warm_epochs = 0};
    CHECK(cold.rate(0) == 2);
    CHECK(cold.correction(0) == 1);
    CHECK(cold.correction(1) == 1);
}

TEST_CASE("drops are what they are said to be") {
    felt::rate_schedule const s{
        .base = 1, .ranks = 2, .steps = 3, .warm_epochs = 1, .drops = {{2, 0.5}}};
    double const rates[] = {4. / 3, 5. / 3, 2, 2, 2, 2, 1, 1};
    for (index_t i = 0; i < 8; ++i) CHECK(s.rate(i) == doctest::Approx(rates[i]));
}

// Where the gradient is constant and v has settled at rate g / (1 - momentum), v is there again in
// the first step after the rate has changed; without the correction it takes many.
TEST_CASE("the correction carries the velocity over to a new rate") {
    felt::rate_schedule const s{
        .base = 1e-3, .ranks = 1, .steps = 1, .warm_epochs = 0, .drops = {{300, 0.1}}};
    auto const slope = [](auto const&, auto& g) {
        g = 2.0;
        return 0.0;
    };
    felt::sgd<double> optimiser(felt::Tensor<double, 1>({1}));
    double before = 0;
    for (index_t step = 0; step <= 301; ++step) {
        double const x = optimiser.x()(0);
        optimiser.options({.rate = s.rate(step), .momentum = 0.9 * s.correction(step)});
        optimiser.step(slope);
        double const moved = x - optimiser.x()(0);
        if (step == 299) before = moved;
        if (step >= 300) CHECK(moved == doctest::Approx(before / 10));
    }
    CHECK(before == doctest::Approx(1e-3 * 2 / (1 - 0.9)));
    CHECK(s.correction(300) == doctest::Approx(0.1));
    CHECK(s.correction(301) == 1);
}
