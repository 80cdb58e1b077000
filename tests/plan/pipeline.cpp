// SPDX-License-Identifier: BSD-3-Clause
//
// How wide the strips of a shared pass are.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::plan;
using felt::planning::statement_id;
using test::nowhere;

namespace {

void check_strips(plan& p) {
    for (auto const& pass : p.passes()) {
        if (pass.alone()) continue;
        CHECK(pass.strip >= 64);
        CHECK(pass.strip <= 4096);
        auto const need = felt::planning::detail::tile_pass(p.g, p.s, pass, pass.strip);
        CHECK(need.bytes <= felt::planning::scratch_limit);
    }
}

}  // namespace

TEST_CASE("every statement is in one pass, in order") {
    auto const x = nowhere(1, {630, 5000}), h = nowhere(2, {630, 5000}), t = nowhere(3, {630, 630});
    auto const r = nowhere(4, {630});
    auto const a = assign(h, exp(x));
    auto const b = assign(h, x * 2);
    auto const c = assign(r, felt::sum<1>(h));
    auto const d = assign(t, matmul(h, transpose(x)));
    plan p = felt::planning::make_plan(a, c, b, d, c);
    statement_id next = 0;
    for (auto const& pass : p.passes()) {
        CHECK(pass.first == next);
        CHECK(pass.last > pass.first);
        CHECK((!pass.alone() || pass.strip == pass.extent));
        next = pass.last;
    }
    CHECK(next == p.g.statements.end_id());
    CHECK(next.number() == 5);
    check_strips(p);
}

TEST_CASE("strips fit in scratch whatever extent grows tenfold") {
    for (auto [rows, n] : {std::pair<index_t, index_t>{63, 5000},
                           {630, 5000},
                           {6300, 5000},
                           {63, 50000},
                           {63, 5000000},
                           {630000, 63}}) {
        CAPTURE(rows);
        CAPTURE(n);
        auto const w = nowhere(4, {64, rows});
        auto const x = nowhere(1, {rows, n});
        auto const h = nowhere(2, {64, n});
        auto const s = assign(h, sigmoid(matmul(w, x)));
        auto const t = assign(nowhere(3, {64}), felt::sum<1>(h));
        auto const u = assign(nowhere(5, {64, 64}), matmul(h, transpose(h)));
        plan p = felt::planning::make_plan(s, t, u);
        CHECK(p.fused());
        check_strips(p);
    }
}

TEST_CASE("one statement alone is one strip") {
    auto const s = assign(nowhere(1, {300}), nowhere(2, {300}) * 2);
    plan const p = felt::planning::make_plan(s);
    REQUIRE(p.passes().size() == 1);
    CHECK(p.passes()[0].alone());
    CHECK(p.passes()[0].strip == p.passes()[0].extent);
    CHECK(p.passes()[0].why == "");
}
