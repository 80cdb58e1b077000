// SPDX-License-Identifier: BSD-3-Clause
//
// Estimates order schedules as measurements do; their absolute values mean little.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::keepdims;
using felt::planning::plan;
using test::nowhere;

namespace {

template <class S>
felt::planning::detail::estimated_time estimated(S const& s) {
    plan const p = felt::explain(s);
    auto const& to = p.g.statements[0];
    return felt::planning::detail::estimate(p.g, p.s, to.root, to.space);
}

}  // namespace

TEST_CASE("twice the work is estimated to take about twice as long") {
    auto const a = nowhere(1, {512, 512}), b = nowhere(2, {512, 512}), y = nowhere(3, {512, 512});
    auto const c = nowhere(4, {1024, 512}), z = nowhere(5, {1024, 512});
    double const one = estimated(assign(y, exp(matmul(a, b)))).all;
    double const two = estimated(assign(z, exp(matmul(c, b)))).all;
    CHECK(two == doctest::Approx(2 * one).epsilon(0.2));
}

TEST_CASE("what hoisted values and leaves move again is counted by the level that holds them") {
    using felt::planning::detail::traffic;
    CHECK(traffic(1000).nanoseconds() == 0);
    CHECK(traffic(2e6).nanoseconds() > 0);
    CHECK(traffic(64e6).nanoseconds() > 32 * traffic(2e6).nanoseconds());
}

TEST_CASE("a statement without reductions moves nothing again") {
    auto const x = nowhere(1, {4096, 4096}), y = nowhere(2, {4096, 4096});
    CHECK(estimated(assign(y, exp(x) * 2)).repeated == 0);
}

TEST_CASE("functions count at each of their points, and once for a tile what is kept for it") {
    auto const counts = [](auto const& s) {
        plan const p = felt::explain(s);
        auto const& to = p.g.statements[0];
        return felt::planning::detail::counts_of(p.g, p.s, to.root, to.space);
    };
    auto const x = nowhere(1, {1024, 1024}), y = nowhere(2, {1024, 1024});
    auto const row = nowhere(3, {1024});
    double const one = counts(assign(y, exp(x))).operations;
    double const two = counts(assign(y, exp(exp(x)))).operations;
    CHECK(one > 1024 * 1024);
    CHECK(two == doctest::Approx(2 * one).epsilon(0.1));
    double const kept = counts(assign(y, x * exp(row))).operations;
    double const each = counts(assign(y, exp(x) * row)).operations;
    CHECK(kept < 0.5 * each);
}
