// SPDX-License-Identifier: BSD-3-Clause
//
// Which statements need a temporary, what is computed first and as a whole, and the reasons.
#include "tests/plan/asked.hpp"
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::make_plan;
using felt::planning::node_id;
using felt::planning::plan;
using felt::planning::way;
using test::named;
using test::nowhere;

namespace {

template <class S>
bool needs_temporary(S const& s) {
    plan const p = make_plan(s);
    auto const& s0 = p.s.statements[0];
    CHECK(s0.temporary == (s0.why[0] != '\0'));
    CHECK(s0.temporary == !p.intermediates().empty());
    return s0.temporary;
}

}  // namespace

TEST_CASE("in place by the same index map is safe") {
    auto const x = nowhere(1, {300, 300}), a = nowhere(2, {300, 300});
    CHECK_FALSE(needs_temporary(assign(x, x)));
    CHECK_FALSE(needs_temporary(assign(x, x * a + exp(x))));
    CHECK_FALSE(needs_temporary(assign(x, transpose(transpose(x)) + 1)));
    CHECK_FALSE(needs_temporary(assign(transpose(x), transpose(x) * 2)));
    auto const upper = slice(x, felt::range(0, 150), felt::all());
    auto const lower = slice(x, felt::range(150, 300), felt::all());
    CHECK_FALSE(needs_temporary(assign(upper, upper + lower)));
}

TEST_CASE("other indices of the destination need a temporary, unless there is no overlap") {
    auto const x = nowhere(1, {300, 300}), a = nowhere(2, {300, 300});
    CHECK(needs_temporary(assign(x, transpose(x))));
    CHECK(needs_temporary(assign(x, felt::flip<0>(x) + a)));
    CHECK(needs_temporary(assign(x, x + slice(x, felt::all(), 3))));
    CHECK(needs_temporary(assign(x, matmul(x, a))));
    CHECK_FALSE(needs_temporary(assign(x, a - felt::max(x))));  // read before anything is stored
    auto const from = slice(x, felt::range(0, 299), felt::all());
    auto const to = slice(x, felt::range(1, 300), felt::all());
    CHECK(needs_temporary(assign(to, from * 2)));
    CHECK_FALSE(needs_temporary(assign(x, transpose(a))));
}

TEST_CASE("memory read as another type is not the same elements") {
    auto const x = nowhere<float>(1, {300});
    auto const bits = nowhere<int>(1, {300}), half = nowhere<int>(1, {150});
    auto const y = nowhere<double>(1, {300});
    CHECK(needs_temporary(assign(y, felt::cast<double>(x))));
    CHECK(needs_temporary(assign(half, slice(bits, felt::range(149, 299)))));
}

TEST_CASE("a block that reads only itself is read before it is stored") {
    auto const x = nowhere(1, {2000, 300});
    CHECK_FALSE(needs_temporary(assign(x, x - felt::mean<1>(x, felt::keepdims))));
    CHECK_FALSE(needs_temporary(assign(x, felt::softmax<1>(x))));
    auto const columns = nowhere<float, felt::ColMajor>(1, {300, 2000});
    CHECK_FALSE(needs_temporary(assign(columns, columns - felt::mean<0>(columns))));
}

TEST_CASE("who promises that nothing overlaps gets no temporary") {
    auto const x = nowhere(1, {300, 300});
    auto s = assign(x, transpose(x));
    CHECK(needs_temporary(s));
    s.no_alias = true;
    CHECK_FALSE(needs_temporary(s));
}

TEST_CASE("what block by block would be computed more than 1.5 times is computed first") {
    index_t const n = 4000000;
    auto const a = nowhere(1, {n, 50}), b = nowhere(2, {50, n}), y = nowhere(3, {n, n});
    auto const s = assign(y, felt::sum<1>(exp(a), felt::keepdims) * felt::sum<0>(exp(b)));
    plan const p = make_plan(s);
    int hoisted = 0;
    for (node_id id : p.g.nodes.ids()) {
        auto const& f = p.s[id];
        if (f.by == way::hoisted) {
            ++hoisted;
            CHECK(std::string(f.why).find("more than 1.5 times") != std::string::npos);
        }
        if (f.by == way::scratch && p.g[id].space == p.g.statements[0].space)
            CHECK(test::times_of(p, id) <= 1.5);
    }
    REQUIRE(hoisted >= 1);
    CHECK(p.intermediates().size() == static_cast<std::size_t>(hoisted));
    CHECK(p.intermediates()[0].bytes == n * 4);
}

TEST_CASE("equal nodes share one slot, others have their own") {
    auto const a = nowhere(1, {300, 300}), b = nowhere(2, {300, 300}), y = nowhere(3, {300, 300});
    auto const s = assign(y, matmul(a, b) * sigmoid(matmul(a, b)) + matmul(b, a));
    plan const p = make_plan(s);
    std::vector<node_id> slots;
    for (node_id id : p.g.nodes.ids()) {
        if (p.g[id].what == felt::planning::kind::contract) slots.push_back(p.s[id].slot);
    }
    REQUIRE(slots.size() == 3);
    CHECK(slots[0] == slots[1]);
    CHECK(slots[2] != slots[0]);
}
