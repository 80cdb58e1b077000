// SPDX-License-Identifier: BSD-3-Clause
//
// What a thread needs to run a plan: what others see of it, and what is given back.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::host::environment;
using felt::planning::node_id;
using felt::planning::way;
using test::nowhere;

TEST_CASE("threads see of each other what was computed first, and nothing else") {
    auto const a = nowhere(1, {2000, 2000}), y = nowhere(2, {2000, 2000});
    auto const s = assign(y, matmul(matmul(a, a), matmul(a, a)) + 1);
    auto const p = felt::explain(s);
    felt::host::arena mine, other;
    environment first(p, mine), second(p, other);
    for (auto& slot : first.slots) slot.valid = true;
    second.share(first);
    int shared = 0;
    for (node_id id : p.g.nodes.ids()) {
        bool const ahead = p.s[id].by == way::hoisted || p.s[id].part > 0;
        CHECK(second.at(id).valid == ahead);
        shared += ahead;
    }
    CHECK(shared > 0);
}

TEST_CASE("scratch below what is computed first is given back, and nobody takes it for values") {
    auto const a = nowhere(1, {200, 200}), y = nowhere(2, {200, 200});
    auto const s = assign(y, felt::softmax<1>(matmul(a, a)));
    auto const p = felt::explain(s);
    felt::host::arena arena;
    environment env(p, arena);
    void* const before = arena.take<char>(1);
    void* inside = nullptr;
    {
        felt::host::computing_first const now(env, 0);
        inside = arena.take<char>(5000);
        for (auto& slot : env.slots) slot.valid = true;
    }
    CHECK(arena.take<char>(100) == inside);
    CHECK(before != inside);
    CHECK(env.at(0).valid);
    for (node_id id : p.g.below(0)) {
        bool const stays = p.s[id].by == way::hoisted || p.s[id].part > 0;
        CHECK(env.at(id).valid == stays);
    }
}
