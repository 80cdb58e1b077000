// SPDX-License-Identifier: BSD-3-Clause
//
// A schedule of a graph before anything is decided, packed leaves, and the parts of a pass.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::index_t;
using felt::planning::graph;
using felt::planning::kind;
using felt::planning::node_id;
using felt::planning::schedule;
using felt::planning::space_id;
using felt::planning::way;
using test::nowhere;

namespace {

// The graph of statements, of which nothing is decided.
template <class... S>
graph placed(S const&... s) {
    graph g;
    (felt::planning::detail::add_statement<S>(g, &s), ...);
    return g;
}

}  // namespace

TEST_CASE("at first what has loops of its own is computed box by box, each of them whole") {
    auto const x = nowhere(1, {30, 40}), w = nowhere(2, {40, 50});
    auto const r = nowhere(3, {30});
    auto const t = assign(r, felt::sum<1>(exp(matmul(x, w))) + 1);
    graph const g = placed(t);
    CHECK(schedule{}.nodes.size() == 0);
    schedule const s(g);
    REQUIRE(s.nodes.size() == g.nodes.size());
    REQUIRE(s.spaces.size() == g.spaces.size());
    REQUIRE(s.statements.size() == 1);
    int boxes = 0;
    for (node_id id : g.nodes.ids()) {
        bool const own = g[id].what == kind::reduce || g[id].what == kind::contract;
        CHECK(s[id].by == (own ? way::scratch : way::streamed));
        boxes += own;
        CHECK_FALSE(s[id].recomputed);
        CHECK_FALSE(is_reused(s, id));
        CHECK_FALSE(s[id].slot);
        CHECK(s[id].along == -1);
        CHECK(s[id].reused == nullptr);
    }
    CHECK(boxes == 2);
    CHECK(s.passes.empty());
    CHECK(s.equal_axes.empty());
    CHECK_FALSE(s.statements[0].temporary);
}

TEST_CASE("at first the loops run in order, with lanes along the last") {
    auto const x = nowhere(1, {30, 40}), w = nowhere(2, {40, 50});
    felt::View<float, 0> const total(nowhere(3, {1}).data(), {}, {});
    auto const t = assign(total, felt::sum(matmul(x, w)));
    graph const g = placed(t);
    schedule const s(g);
    std::vector<int> lanes;
    for (space_id sp : g.spaces.ids()) {
        lanes.push_back(s[sp].lane);
        CHECK(s[sp].lane == g[sp].rank - 1);
        CHECK(s[sp].columns == -1);
        CHECK(s[sp].columns_along() == s[sp].lane);
        CHECK(s[sp].mirror == 0);
        CHECK_FALSE(s[sp].fetched);
        for (int l = 0; l < g[sp].rank; ++l) {
            CHECK(s[sp].order[l] == l);
            CHECK(s[sp].block[l] == g[sp].extent[l]);
        }
    }
    CHECK(lanes == std::vector{-1, 1, 2, 2});  // of the destination, the sum, and both operands
}

TEST_CASE("columns follow the lanes unless they have a loop of their own") {
    felt::planning::loop_schedule in;
    in.run_along(felt::planning::loop_id(2));
    CHECK(in.columns_along() == 2);
    in.columns = felt::planning::loop_id(1);
    CHECK(in.columns_along() == 1);
    in.run_along(felt::planning::loop_id(0));
    CHECK(in.columns_along() == 0);
}

TEST_CASE("a leaf that is packed lies along its last axis, or as the schedule says") {
    auto const x = nowhere(1, {30, 40}), y = nowhere(2, {40, 30}), z = nowhere(3, {40, 30});
    auto const t = assign(y, transpose(felt::packed(x)) * z);
    graph const g = placed(t);
    schedule s(g);
    node_id packed, plain;
    for (node_id id : g.nodes.ids()) {
        if (g[id].what == kind::leaf) (g[id].lie_along != nullptr ? packed : plain) = id;
    }
    REQUIRE(packed);
    REQUIRE(plain);
    // The packed one is transposed.
    auto const lies = [&](index_t first, index_t second) {
        index_t const* const stride = strides_of(g, s, packed);
        index_t const* const by_loop = by_loop_of(g, s, packed);
        return stride[0] == first && stride[1] == second && by_loop[0] == second &&
               by_loop[1] == first;
    };
    CHECK(s[packed].along == 1);
    CHECK(lies(40, 1));
    schedule::lie_along(g[packed], s[packed], felt::planning::axis_id(0));
    CHECK(s[packed].along == 0);
    CHECK(lies(1, 30));
    CHECK(offset_of(g, s, packed) == 0);
    CHECK(data_of(g, s, packed) == nullptr);
    float copy = 0;
    s[packed].data = &copy;
    CHECK(data_of(g, s, packed) == &copy);
    // Others lie where they are.
    CHECK(strides_of(g, s, plain) == g[plain].stride);
    CHECK(by_loop_of(g, s, plain)[0] == 30);
    CHECK(by_loop_of(g, s, plain)[1] == 1);
    CHECK(data_of(g, s, plain) == z.data());
    CHECK(s[plain].along == -1);
}

TEST_CASE("a pass without parts has one, the last of several may be shorter") {
    felt::planning::pass_facts pass;
    pass.extent = 1000;
    CHECK(pass.parts() == 1);
    pass.part = 300;
    CHECK(pass.parts() == 4);
    pass.part = 250;
    CHECK(pass.parts() == 4);
}

TEST_CASE("a pass has the statements up to the one before its last") {
    felt::planning::pass_facts pass;
    int n = 0;
    for (auto k : pass.statements()) n += 1 + k.number();
    CHECK(n == 1);
    pass.first = 2, pass.last = 4;
    std::vector<int> in_pass;
    for (auto k : pass.statements()) in_pass.push_back(k.number());
    CHECK(in_pass == std::vector{2, 3});
}
