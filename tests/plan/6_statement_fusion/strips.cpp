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

TEST_CASE("strips leave rows of memory whole where an axis outside of them is shared as well") {
    for (auto [rows, columns] : {std::pair{1024, 16384}, {16384, 1024}, {4096, 4096}}) {
        CAPTURE(rows);
        auto const x = nowhere(1, {rows, columns}), y = nowhere(2, {rows, columns});
        auto const first = assign(y, exp(x));
        auto const check = [&](auto const& next) {
            plan const p = felt::explain(first, next);
            REQUIRE(p.passes().size() == 1);
            CHECK(p.s.statements[0].strip == 0);
            CHECK(p.s.spaces[p.g.statements[0].space].lane == 1);
        };
        check(assign(nowhere(3, {rows}), felt::sum<1>(y)));
        check(assign(nowhere(3, {columns}), felt::sum<0>(y)));
        check(assign(nowhere(3, {rows, columns}), y * y));
    }
    // Products pack the pieces that they read.
    auto const w = nowhere(1, {500, 784}), x = nowhere(2, {784, 10000});
    auto const h = nowhere(3, {500, 10000});
    auto const sums = assign(nowhere(4, {500}), felt::sum<1>(h));
    plan const p = felt::explain(assign(h, sigmoid(matmul(w, x))), sums);
    REQUIRE(p.passes().size() == 1);
    CHECK(p.s.statements[0].strip == 1);
}
