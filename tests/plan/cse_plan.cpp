// SPDX-License-Identifier: BSD-3-Clause
//
// When what is marked as shared is computed once.
#include "tests/plan/asked.hpp"
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::keepdims;
using felt::sum;
using felt::planning::kind;
using felt::planning::make_shared_plan;
using felt::planning::plan;
using test::nowhere;

namespace {

template <class... S>
bool shares(S const&... s) {
    plan const p = felt::explain(s...);
    bool some = false;
    for (auto const& f : p.g.nodes) some = some || f.what == kind::once;
    return some;
}

}  // namespace

TEST_CASE("equal nodes are computed once, where rows are long") {
    auto const x = nowhere(1, {512, 1024}), y = nowhere(2, {512, 1024});
    auto const s = assign(y, exp(x) / sum<1>(exp(x), keepdims));
    plan const p = felt::explain(s);
    REQUIRE(p.g.nodes.size() == 9);
    CHECK(p.g.nodes[1].what == kind::once);
    CHECK(p.g.nodes[6].what == kind::once);
    CHECK(p.s.nodes[6].slot == felt::planning::node_id(1));
    CHECK(is_reused(p.s, 6));
    CHECK(test::scratch_of(p, 6) == 0);
    CHECK(p.s.nodes[1].reused == y.data());
    CHECK(p.intermediates().empty());
}

TEST_CASE("nodes of one type over other tensors are not shared") {
    auto const x = nowhere(1, {512, 1024}), y = nowhere(2, {512, 1024});
    auto const a = nowhere(3, {512, 1024});
    CHECK_FALSE(shares(assign(y, exp(x) / sum<1>(exp(a), keepdims))));
    CHECK(shares(assign(y, exp(a) / sum<1>(exp(a), keepdims))));
    CHECK_FALSE(shares(assign(y, exp(x * 2) / sum<1>(exp(x * 3), keepdims))));
    CHECK_FALSE(shares(assign(y, exp(x) / sum<1>(exp(x), keepdims) + sum<1>(exp(a), keepdims))));
}

TEST_CASE("what a product packs is not in a box that others could read") {
    auto const x = nowhere(1, {512, 1024}), y = nowhere(2, {512, 1024});
    auto const w = nowhere(3, {1024, 1024});
    CHECK_FALSE(shares(assign(y, matmul(exp(x), w) + exp(x))));
}

TEST_CASE("short rows and narrow blocks are computed again") {
    auto const x = nowhere(1, {100000, 16}), y = nowhere(2, {100000, 16});
    CHECK_FALSE(shares(assign(y, exp(x) / sum<1>(exp(x), keepdims))));
    auto const u = nowhere(1, {4096, 1024}), v = nowhere(2, {4096, 1024});
    CHECK_FALSE(shares(assign(v, exp(u) / sum<0>(exp(u), keepdims))));
    CHECK(shares(assign(v, exp(u) / sum<1>(exp(u), keepdims))));
}

TEST_CASE("beside a destination that no cache holds a box has to be part of it, or expensive") {
    auto const x = nowhere(1, {4096, 1024}), y = nowhere(2, {4096, 1024});
    CHECK_FALSE(shares(assign(y, sum<1>(exp(x), keepdims) * exp(x))));
    CHECK(shares(assign(y, sum<1>(gelu(x), keepdims) * gelu(x))));
    auto const a = nowhere(1, {256, 1024}), b = nowhere(2, {256, 1024});
    CHECK(shares(assign(b, sum<1>(exp(a), keepdims) * exp(a))));
}

TEST_CASE("a group shares what one of its statements is") {
    auto const z = nowhere(1, {512, 1024}), a = nowhere(2, {512, 1024});
    auto const m = nowhere(3, {512});
    auto const s = assign(a, sigmoid(z));
    auto const t = assign(m, felt::mean<1>(sigmoid(z)));
    plan const p = felt::explain(s, t);
    CHECK(p.passes().size() == 1);
    CHECK(p.s.nodes[0].reused == a.data());
    CHECK(shares(s, t));
    CHECK_FALSE(shares(t, s));
    CHECK_FALSE(shares(assign(a, sigmoid(z)), assign(m, felt::mean<1>(sigmoid(a)))));
}

TEST_CASE("a plan that does not share is made of the statements as they are") {
    auto const x = nowhere(1, {512, 1024}), y = nowhere(2, {512, 1024});
    auto const a = nowhere(3, {512, 1024});
    auto const s = assign(y, exp(x) / sum<1>(exp(a), keepdims));
    CHECK_FALSE(make_shared_plan(felt::detail::shared(s).head).has_value());
    plan const p = felt::explain(s);
    CHECK(p.keep == nullptr);
    CHECK(p.g.nodes[0].self == &s.expression);
}
