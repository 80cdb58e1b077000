// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::planning::graph;
using felt::planning::kind;
using felt::planning::node_id;
using test::nowhere;

TEST_CASE("a tree is written down parent first, each with the end of its subtree") {
    auto const x = nowhere(1, {3, 4});
    auto const b = nowhere<float, felt::ColMajor>(2, {4, 5});
    auto const e = felt::sum<1>(exp(matmul(x, b)) * 2);
    graph g;
    describe(e, g);
    REQUIRE(g.nodes.size() == 7);
    kind const kinds[] = {kind::reduce, kind::map,  kind::map,   kind::contract,
                          kind::leaf,   kind::leaf, kind::scalar};
    char const* const names[] = {"sum", "*", "exp", "matmul"};
    int const ends[] = {7, 7, 6, 6, 5, 6, 7};
    for (node_id id : g.nodes.ids()) {
        std::size_t const i = id.index();
        CAPTURE(i);
        CHECK(g[id].what == kinds[i]);
        CHECK(g[id].end.number() == ends[i]);
        if (i < 4) CHECK(std::string(g[id].name) == names[i]);
    }
    CHECK(g.nodes[0].mask == 2U);
    CHECK(g.nodes[0].rank == 1);
    CHECK(g.nodes[3].extent[1] == 5);
    CHECK(g.nodes[4].data == x.data());
    CHECK(g.nodes[5].stride[0] == 1);
    CHECK(g.nodes[5].stride[1] == 4);
    CHECK(std::string(g.nodes[5].type) == "float");
    CHECK(g.nodes[2].cost > g.nodes[1].cost);
}

TEST_CASE("the extents of a function are those to which its operands broadcast") {
    auto const row = nowhere(1, {1, 4}), column = nowhere(2, {3, 1}), none = nowhere(3, {0, 1});
    auto const line = nowhere(4, {4});
    auto const check = [](auto const& e) {
        graph g;
        describe(e, g);
        auto const want = e.extents();
        for (std::size_t a = 0; a < e.rank; ++a) CHECK(g.nodes[0].extent[a] == want[a]);
    };
    check(row + column);
    check(column * line + 1.f);
    check(2.f - exp(none + row));
    check(where(row > 0.f, column, line));
}
