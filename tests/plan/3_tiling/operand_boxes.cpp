// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/asked.hpp"
#include "tests/plan/nowhere.hpp"
#include <bit>
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::node_id;
using felt::planning::plan;
using test::named;
using test::nowhere;

namespace detail = felt::planning::detail;

namespace {

// The maps of views lie in the statements, so these live as long as their plans.

// The box of operand c that node id takes for a box of its own.
struct taken {
    index_t box[felt::planning::max_axes] = {};

    taken(plan const& p, node_id id, node_id c, std::initializer_list<index_t> x) {
        index_t own[felt::planning::max_axes] = {};
        std::copy(x.begin(), x.end(), own);
        detail::box_of_operand(p.g, p.s, id, c, own, box);
    }
    index_t operator[](int a) const { return box[a]; }
};

}  // namespace

TEST_CASE("a view takes what it reaches of its source, and no more than there is") {
    auto const x = nowhere(1, {20, 50}), y = nowhere(2, {22, 52}), z = nowhere(3, {40, 100});
    auto const s = assign(y, felt::pad(exp(x), {{1, 1}, {1, 1}}));
    plan const p = felt::explain(s);
    node_id const padded = named(p, "pad");
    taken const some(p, padded, padded + 1, {4, 5}), all(p, padded, padded + 1, {22, 52});
    CHECK(some[0] == 4);
    CHECK(some[1] == 5);
    CHECK(all[0] == 20);
    CHECK(all[1] == 50);
    auto const t = assign(z, felt::upsample(exp(x), {2, 2}));
    plan const q = felt::explain(t);
    node_id const larger = named(q, "upsample");
    taken const half(q, larger, larger + 1, {8, 9});  // wherever it begins
    CHECK(half[0] == (8 - 1) / 2 + 2);
    CHECK(half[1] == (9 - 1) / 2 + 2);
}

TEST_CASE("steps and windows reach what lies between, from where they begin to where they end") {
    felt::planning::graph g;
    felt::axis_rule rule[2];
    rule[0].out1 = 0, rule[0].out2 = 2, rule[0].stride = 2, rule[0].dilation = 3;
    rule[1].out1 = 1, rule[1].stride = -4;
    felt::planning::node& view = g.nodes.add();
    view.what = felt::planning::kind::general;
    view.rank = 3;
    view.rule = rule;
    felt::planning::node& source = g.nodes.add();
    source.what = felt::planning::kind::leaf;
    source.rank = 2, source.extent[0] = 60, source.extent[1] = 70;
    felt::planning::schedule const s(g);
    index_t box[felt::planning::max_axes] = {};
    index_t const point[] = {1, 1, 1}, some[] = {4, 5, 3}, all[] = {28, 18, 3};
    detail::box_of_operand(g, s, 0, 1, point, box);
    CHECK(box[0] == 1);
    CHECK(box[1] == 1);
    detail::box_of_operand(g, s, 0, 1, some, box);
    CHECK(box[0] == 2 * (4 - 1) + 3 * (3 - 1) + 1);
    CHECK(box[1] == 4 * (5 - 1) + 1);
    detail::box_of_operand(g, s, 0, 1, all, box);
    CHECK(box[0] == 60);  // and no more than there is
    CHECK(box[1] == 4 * (18 - 1) + 1);
}

TEST_CASE("a view below steps and windows has a box of what these reach, and its source that") {
    auto const x = nowhere(1, {60, 70}), y = nowhere(2, {20, 70}), z = nowhere(3, {30, 68});
    auto const e = felt::cumsum<1>(x);  // is evaluated box by box, with all of each row
    auto const s = assign(y, slice(e, felt::range(0, 60, 3), felt::all()));
    plan const p = felt::explain(s);
    index_t const block[] = {4, 5};
    index_t held[felt::planning::max_axes] = {};
    detail::image_extents(p.g, p.s, named(p, "scan"), block, held);
    CHECK(held[0] == 3 * (4 - 1) + 1);
    CHECK(held[1] == 70);
    auto const parts = felt::windows(e, {3, 5}, {.stride = {2, 1}, .padding = {1, 1}});
    auto const t = assign(z, felt::sum<2, 3>(parts));
    plan const q = felt::explain(t);
    node_id const padded = named(q, "pad");
    index_t const windows[] = {4, 6, 3, 5}, one_row[] = {30, 6, 1, 5};
    detail::image_extents(q.g, q.s, padded, windows, held);
    CHECK(held[0] == 2 * (4 - 1) + 3);
    CHECK(held[1] == (6 - 1) + 5);
    taken const below(q, padded, padded + 1, {held[0], held[1]});
    CHECK(below[0] == 9);
    CHECK(below[1] == 10);
    detail::image_extents(q.g, q.s, padded, one_row, held);
    CHECK(held[0] == 2 * (30 - 1) + 1);
    CHECK(held[1] == (6 - 1) + 5);
    taken const most(q, padded, padded + 1, {61, 72});
    CHECK(most[0] == 60);
    CHECK(most[1] == 70);
}

TEST_CASE("parts of a concatenation are asked for as it is, up to their own extents") {
    auto const a = nowhere(1, {30, 40}), b = nowhere(2, {30, 5}), y = nowhere(3, {30, 45});
    auto const s = assign(y, felt::concat<1>(exp(a), exp(b)));
    plan const p = felt::explain(s);
    node_id const both = named(p, "concat");
    taken const left(p, both, p.g.operand(both, 0), {10, 20});
    taken const right(p, both, p.g.operand(both, 1), {10, 20});
    CHECK(left[0] == 10);
    CHECK(left[1] == 20);
    CHECK(right[0] == 10);
    CHECK(right[1] == 5);
}

TEST_CASE("a reshape takes pieces of consecutive elements") {
    auto const x = nowhere(1, {100, 8, 64});
    auto const y = nowhere(2, {100 * 8, 64});
    auto const s = assign(y, felt::reshape(exp(x), {100 * 8, 64}));
    plan const p = felt::explain(s);
    node_id const id = named(p, "reshape");
    taken const piece(p, id, id + 1, {16, 64});
    CHECK(piece[0] == 2);
    CHECK(piece[1] == 8);
    CHECK(piece[2] == 64);
}

TEST_CASE("where rows share an axis with terms, the box is made ready for all of these") {
    auto const x = nowhere(1, {2, 16, 30, 30}), w = nowhere(2, {32, 16, 3, 3});
    auto const y = nowhere(3, {2, 32, 30, 30});
    auto const s = assign(y, relu(felt::conv2d(x, w, {.padding = {1, 1}})));
    plan const p = felt::explain(s);
    node_id const id = named(p, "conv2d");
    auto const& product = test::product_of(p, id);
    REQUIRE(product.left_boxed);
    index_t const* const block = p.s[p.g[id].inner].block;
    unsigned const whole = detail::labels_kept_whole(p.g, p.s, id, block);
    CHECK(whole == product.boxed_whole);
    for (int l : product.axes.m) CHECK((whole >> l & 1U) == 0);
    unsigned filters = 0;  // of the terms, both axes of the filters share with the rows
    for (int l : product.axes.k) {
        if (p.g[p.g[id].inner].extent[l] == 3) filters |= 1U << l;
    }
    CHECK(std::popcount(filters) == 2);
    CHECK(whole == filters);
}

TEST_CASE("pieces that a reshape takes have rows for a scan along its lanes to go on with") {
    auto const x = nowhere(1, {600, 600}), y = nowhere(2, {360, 1000});
    auto const s = assign(y, felt::reshape(felt::cumsum<1>(exp(x)), {360, 1000}) * 2.f);
    auto const p = felt::planning::make_plan(s);
    node_id const scan = named(p, "scan");
    CHECK(p.s[scan].held[0] >= 16);
    CHECK_FALSE(felt::planning::runs_by_element(p.g, p.s, scan));
}
