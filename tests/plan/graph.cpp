// SPDX-License-Identifier: BSD-3-Clause
//
// What a graph is asked: what is below a node, its operands, and the nodes of one space of loops.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::planning::graph;
using felt::planning::kind;
using felt::planning::node_id;
using felt::planning::space_id;
using felt::planning::statement_id;
using test::nowhere;

namespace {

template <class Ids>
std::vector<int> numbers(Ids const& ids) {
    std::vector<int> n;
    for (auto id : ids) n.push_back(id.number());
    return n;
}
using list = std::vector<int>;

// sum, *, exp, matmul, its two leaves, and the scalar of *.
graph scaled_product() {
    auto const e = felt::sum<1>(exp(matmul(nowhere(1, {3, 4}), nowhere(2, {4, 5}))) * 2);
    graph g;
    describe(e, g);
    return g;
}

}  // namespace

TEST_CASE("a subtree is a node with all that is below it") {
    graph const g = scaled_product();
    CHECK(numbers(g.subtree(0)) == list{0, 1, 2, 3, 4, 5, 6});
    CHECK(numbers(g.below(0)) == list{1, 2, 3, 4, 5, 6});
    CHECK(numbers(g.subtree(2)) == list{2, 3, 4, 5});
    CHECK(numbers(g.below(3)) == list{4, 5});
    CHECK(numbers(g.subtree(6)) == list{6});
    CHECK(numbers(g.below(6)) == list{});
    CHECK(g.subtree(2).contains(5));
    CHECK_FALSE(g.subtree(2).contains(6));
}

TEST_CASE("operands come in their order, whatever is below them") {
    graph const g = scaled_product();
    CHECK(numbers(g.operands(0)) == list{1});
    CHECK(numbers(g.operands(1)) == list{2, 6});
    CHECK(numbers(g.operands(3)) == list{4, 5});
    CHECK(numbers(g.operands(4)) == list{});
    CHECK(g.operand(1, 0) == node_id(2));
    CHECK(g.operand(1, 1) == node_id(6));
    CHECK(g.operand(3, 1) == node_id(5));
    auto const x = nowhere(1, {3, 4});
    graph three;
    describe(felt::where(x > 0.f, exp(x), x), three);
    CHECK(numbers(three.operands(0)) == list{1, 4, 6});
    CHECK(three.nodes[4].what == kind::map);
    CHECK(three.nodes[6].what == kind::leaf);
}

TEST_CASE("every node is of one statement, and every one but a root is an operand of one node") {
    auto const x = nowhere(1, {40, 30}), y = nowhere(2, {40, 30});
    auto const r = nowhere(3, {40});
    auto const p = felt::explain(assign(y, exp(x) * x + 1), assign(r, felt::sum<1>(y * x)));
    graph const& g = p.g;
    REQUIRE(g.statements.size() == 2);
    node_id next = 0;
    list times(g.nodes.size(), 0);
    for (statement_id k : g.statements.ids()) {
        CHECK(g[k].root == next);
        for (node_id id : g.nodes_of(k)) {
            CHECK(id == next);
            ++next;
            for (node_id c : g.operands(id)) ++times[c.index()];
        }
    }
    CHECK(next == g.nodes.end_id());
    for (node_id id : g.nodes.ids()) {
        bool const root = id == g.statements[0].root || id == g.statements[1].root;
        CHECK(times[id.index()] == (root ? 0 : 1));
    }
}

TEST_CASE("every node is in the list of the loops that it is read in, and in no other") {
    auto const a = nowhere(1, {40, 30}), b = nowhere(2, {30, 20});
    auto const y = nowhere(3, {40, 20});
    auto const p = felt::explain(assign(y, exp(matmul(a, b)) - felt::sum<0>(matmul(a, b))));
    std::size_t listed = 0;
    for (space_id sp : p.g.spaces.ids()) {
        node_id before;
        for (node_id id : p.g.read_in(sp)) {
            CHECK(p.g[id].space == sp);
            CHECK(id > before);
            before = id;
            ++listed;
        }
        CHECK(before == p.g[sp].last);
    }
    CHECK(listed == p.g.nodes.size());
}

TEST_CASE("a space has its extents and its owner, and no nodes before some are added") {
    graph g = scaled_product();
    felt::index_t const extent[] = {3, 5};
    space_id const of_statement = g.add_space(extent, 1), of_sum = g.add_space(extent, 2, 0);
    CHECK(of_sum == of_statement + 1);
    CHECK(g[of_statement].rank == 1);
    CHECK_FALSE(g[of_statement].owner);
    CHECK(g[of_sum].owner == node_id(0));
    CHECK(g[of_sum].extent[0] == 3);
    CHECK(g[of_sum].extent[1] == 5);
    CHECK(numbers(g.read_in(of_sum)) == list{});
    g.add_to(of_statement, 0);
    g.add_to(of_sum, 1);
    g.add_to(of_sum, 2);
    g.add_to(of_sum, 6);
    CHECK(numbers(g.read_in(of_statement)) == list{0});
    CHECK(numbers(g.read_in(of_sum)) == list{1, 2, 6});
    CHECK(g.nodes[6].space == of_sum);
    CHECK_FALSE(g.nodes[3].space);
}
