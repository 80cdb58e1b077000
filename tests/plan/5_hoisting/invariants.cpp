// SPDX-License-Identifier: BSD-3-Clause
//
// Which functions are computed once for a block.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <sstream>

using felt::index_t;
using test::named;
using test::nowhere;

namespace {

template <class S>
bool keeps(S const& s, char const* name) {
    auto const p = felt::explain(s);
    return p.s[named(p, name)].kept_along >= 0;
}

}  // namespace

TEST_CASE(
    "an expensive function that stays the same along a loop is computed once, and the plan says "
    "so") {
    auto const x = nowhere(1, {500, 700}), y = nowhere(2, {500, 700});
    auto const row = nowhere(3, {1, 700}), column = nowhere(4, {500, 1});
    CHECK(keeps(assign(y, x * exp(row)), "exp"));
    CHECK(keeps(assign(y, x * exp(column)), "exp"));
    std::ostringstream text;
    text << felt::explain(assign(y, x * exp(row)));
    CHECK(text.str().find("[loop-invariant: computed once for a block]") != std::string::npos);
}

TEST_CASE("of functions of functions the outermost is kept") {
    auto const x = nowhere(1, {500, 700}), y = nowhere(2, {500, 700}), row = nowhere(3, {1, 700});
    auto const s = assign(y, x * tanh(exp(row) + 1));
    CHECK(keeps(s, "tanh"));
    CHECK_FALSE(keeps(s, "exp"));
}

TEST_CASE("what is cheap, or moves with all loops, is computed where it is read") {
    auto const x = nowhere(1, {500, 700}), y = nowhere(2, {500, 700}), row = nowhere(3, {1, 700});
    CHECK_FALSE(keeps(assign(y, x * (row + 1)), "+"));
    CHECK_FALSE(keeps(assign(y, row * exp(x)), "exp"));
    auto const short_x = nowhere(1, {1, 700}), short_y = nowhere(2, {1, 700});
    CHECK_FALSE(keeps(assign(short_y, short_x * exp(row)), "exp"));
}

TEST_CASE("no more is kept than a small part of scratch") {
    using felt::planning::most_kept_bytes;
    for (index_t n : {10, 1000, 100000, 10000000}) {
        auto const x = nowhere(1, {50, n}), y = nowhere(2, {50, n}), row = nowhere(3, {1, n});
        auto const p = felt::explain(assign(y, x * exp(row)));
        CAPTURE(n);
        index_t const kept = std::min(p.s.spaces[0].block[1], n) * 4;
        CHECK((p.s[named(p, "exp")].kept_along < 0 || kept <= most_kept_bytes));
    }
}
