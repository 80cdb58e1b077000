// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/asked.hpp"
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::plan;
using test::nowhere;

TEST_CASE("strips are as wide as fits, and no narrower than pays") {
    for (index_t rows : {16, 256, 4096}) {
        CAPTURE(rows);
        auto const x = nowhere(1, {rows, 20000}), y = nowhere(2, {rows, 20000});
        auto const z = nowhere(3, {rows, 20000});
        auto const k = assign(y, exp(x));
        auto const l = assign(z, y * y);
        plan const p = felt::explain(k, l);
        if (p.passes().size() > 1) continue;
        felt::planning::pass_facts const& pass = p.passes()[0];
        CHECK(!pass.alone());
        CHECK(pass.strip <= felt::planning::widest_strip);
        felt::planning::schedule s = p.s;
        auto const need = felt::planning::detail::tile_pass(p.g, s, pass, pass.strip);
        CHECK(need.fits(felt::planning::scratch_limit));
    }
}

TEST_CASE("in strips of a pass nothing is said to be computed more often than it is") {
    auto const x = nowhere(1, {700, 900}), y = nowhere(2, {700, 900});
    auto const r = nowhere(3, {700});
    auto const s = assign(y, felt::softmax<1>(x));
    auto const t = assign(r, felt::sum<1>(x));
    plan const p = felt::explain(s, t);
    REQUIRE(p.passes().size() == 1);
    REQUIRE(!p.passes()[0].alone());
    CHECK(test::worst_times(p) == 1);
}
