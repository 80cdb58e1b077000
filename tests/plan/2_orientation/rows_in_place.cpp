// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/asked.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using namespace felt;

namespace {

using pixels = Tensor<float, 4, Host, ChannelsLast>;

// Of the first general view of e: whether its rows are read where they lie.
template <class Y, class E>
bool in_place(Y& y, E const& e) {
    auto const s = assign(y, e);
    auto const p = explain(s);
    for (planning::node_id id : p.g.nodes.ids()) {
        if (p.g[id].what == node_kind::general && p.g[id].inner)
            return planning::detail::finds_rows(p.g, p.s, id);
    }
    throw error("there is no such view");
}

template <class E>
bool in_place(E const& e) {
    pixels y(e.extents());
    return in_place(y, e);
}

template <class X>
auto padded(X const& x) {
    return pad(x, {{0, 0}, {0, 0}, {1, 1}, {1, 1}});
}

}  // namespace

TEST_CASE("rows are read where they lie if each is one of memory, and read seldom") {
    pixels x({2, 32, 12, 12});
    Tensor<float, 4> r({2, 32, 12, 12});
    CHECK(in_place(padded(x)));
    CHECK(in_place(padded(x) * 2.F));
    CHECK(in_place(max_pool2d(x, {.window = {3, 3}, .stride = {2, 2}, .padding = {1, 1}})));
    SUBCASE("nine readings of an element") {
        CHECK(!in_place(max_pool2d(x, {.window = {3, 3}, .stride = {1, 1}, .padding = {1, 1}})));
    }
    SUBCASE("lanes that go past the ends") { CHECK(!in_place(padded(r) * 2.F)); }
    SUBCASE("rows that are short") {
        pixels few({2, 15, 12, 12});
        CHECK(!in_place(padded(few) * 2.F));
    }
    SUBCASE("a source that is computed") { CHECK(!in_place(padded(x * x) * 2.F)); }
    SUBCASE("the operand of a product") {
        pixels w({8, 32, 3, 3});
        CHECK(!in_place(conv2d(x, w, {.padding = {1, 1}})));
    }
    SUBCASE("what is written meanwhile") {
        auto const z = slice(padded(x), all(), all(), range(0, 12), range(0, 12));
        CHECK(!in_place(x, x + z));
    }
}

TEST_CASE("what is read where it lies takes no scratch") {
    pixels x({2, 32, 12, 12}), y, dx({2, 32, 24, 24});
    auto const s = assign(y, padded(x) * 2.F);
    auto const p = explain(s);
    for (planning::node_id id : p.g.nodes.ids()) CHECK(test::scratch_of(p, id) == 0);
    auto const back = assign(dx, avg_pool2d_grad(x, dx.extents()));
    auto const q = explain(back);
    for (planning::node_id id : q.g.nodes.ids()) {
        if (q.g[id].what == node_kind::general) CHECK(test::scratch_of(q, id) == 0);
    }
}
