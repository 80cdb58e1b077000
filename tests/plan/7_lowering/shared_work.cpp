// SPDX-License-Identifier: BSD-3-Clause
//
// What tasks compute in common.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::make_plan;
using felt::planning::tasks;
using test::nowhere;

namespace {

// The tasks of a statement, and whether what they compute again is more than a half.
struct shared {
    tasks by;
    bool repeats;
};

bool repeats(felt::planning::plan const& p, tasks const& t) {
    return felt::planning::detail::tasks_repeat(p.g, p.s, 0, t);
}

template <class S>
shared share_out(S const& s) {
    auto const p = make_plan(s);
    tasks const t = p.passes()[0].shared_out;
    return {t, repeats(p, t)};
}

// Along a loop, whatever the plan thinks of it.
tasks five_tasks(int loop, index_t step) {
    tasks t;
    t.loop = felt::planning::loop_id(loop);
    t.step = step;
    t.count = 5;
    return t;
}

}  // namespace

TEST_CASE("tasks of a reshape take whole pieces of its source, of products as many rows as these") {
    auto const a = nowhere(1, {600, 40}), b = nowhere(2, {40, 300});
    auto const y = nowhere(3, {600 * 300});
    shared const s = share_out(assign(y, felt::reshape(matmul(a, b), {600 * 300})));
    CHECK(s.by.count == 4);
    CHECK(s.by.step == felt::planning::most_mc * 300);
    CHECK_FALSE(s.repeats);
}

TEST_CASE("rows of a reshape are tasks where some of them are whole pieces") {
    auto const a = nowhere(1, {600, 40}), b = nowhere(2, {40, 300});
    auto const y = nowhere(3, {300, 600});
    shared const s = share_out(assign(y, felt::reshape(exp(matmul(a, b)), {300, 600})));
    CHECK(s.by.count >= 2);
    CHECK(s.by.step * 600 % (felt::planning::most_mc * 300) == 0);
    CHECK_FALSE(s.repeats);
}

TEST_CASE("a loop of which every task would compute all of something is not shared out") {
    auto const x = nowhere(1, {300, 300}), y = nowhere(2, {300, 300});
    auto const statement = assign(y, exp(x) - felt::sum<1>(x, felt::keepdims));
    auto const p = make_plan(statement);
    CHECK(repeats(p, five_tasks(1, 64)));
    CHECK_FALSE(repeats(p, five_tasks(0, 64)));
}

TEST_CASE("equal nodes at other places along a loop are not found there by its tasks") {
    auto const x = nowhere(1, {300, 300}), w = nowhere(2, {300, 4}), y = nowhere(3, {300, 604});
    auto const e = felt::cumsum<1>(x);
    shared const rows = share_out(assign(y, felt::concat<1>(e, w, e)));
    CHECK(rows.by.loop == 0);
    // Along the columns a task would have parts of one of them alone: pads of 152 x 482.
    auto const few = nowhere(4, {152, 482}), two = nowhere(5, {155, 2}), z = nowhere(6, {158, 975});
    auto const twice = felt::pad(few + few, {{1, 2}, {0, 3}}, 1.f);
    auto const all = felt::concat<1>(twice, two, twice);
    auto const statement = assign(z, felt::pad(all, {{3, 0}, {1, 2}}, felt::pad_mode::edge));
    auto const p = make_plan(statement);
    CHECK(repeats(p, five_tasks(1, 207)));
}

TEST_CASE("tasks go along another loop where the outermost has something in common") {
    auto const x = nowhere(1, {400, 400}), y = nowhere(2, {400, 1200});
    auto const centred = x * 3.f - felt::sum<0>(exp(x));
    shared const s = share_out(assign(y, felt::tile(centred, {1, 3})));
    CHECK(s.by.count > 1);
    CHECK_FALSE(s.repeats);
}
