// SPDX-License-Identifier: BSD-3-Clause
//
// Where nodes are read: views of memory become strides, what is not streamed gets own loops.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::kind;
using felt::planning::make_plan;
using felt::planning::way;
using test::named;
using test::nowhere;

namespace {

// The leaf over array number k.
felt::planning::node_id leaf(felt::planning::plan const& p, std::uintptr_t k) {
    for (felt::planning::node_id id : p.g.nodes.ids()) {
        felt::planning::node const& f = p.g[id];
        if (f.what == kind::leaf && reinterpret_cast<std::uintptr_t>(f.data) >> 40 == k) return id;
    }
    throw felt::error("no such leaf");
}

}  // namespace

TEST_CASE("operands are read in the loops of the destination, where they stretch by stride 0") {
    auto const y = nowhere(1, {30, 40}), x = nowhere(2, {30, 40}), c = nowhere(3, {30, 1});
    auto const r = nowhere(4, {40});
    auto const f = nowhere<float, felt::ColMajor>(5, {30, 40});
    auto const p = make_plan(assign(y, x * c + r * f));
    REQUIRE(p.g.spaces.size() == 1);
    index_t const by_loop[][2] = {{40, 1}, {1, 0}, {0, 1}, {1, 30}};
    for (std::uintptr_t k = 2; k <= 5; ++k) {
        CAPTURE(k);
        CHECK(p.s[leaf(p, k)].by == way::streamed);
        CHECK(p.g[leaf(p, k)].by_loop[0] == by_loop[k - 2][0]);
        CHECK(p.g[leaf(p, k)].by_loop[1] == by_loop[k - 2][1]);
    }
}

TEST_CASE("views of an expression are worked into the strides of its leaves") {
    auto const y = nowhere(1, {40, 20}), x = nowhere(2, {30, 40}), z = nowhere(3, {40, 20});
    auto const e = felt::flip<0>(slice(exp(x), felt::range(10, 30), felt::all()));
    auto const p = make_plan(assign(y, transpose(e) + transpose(transpose(z))));
    CHECK(p.g.spaces.size() == 1);
    CHECK(p.g[leaf(p, 2)].offset == 29 * 40);
    CHECK(p.g[leaf(p, 2)].by_loop[0] == 1);
    CHECK(p.g[leaf(p, 2)].by_loop[1] == -40);
}

TEST_CASE("windows that stay inside are strides, windows over a border are not") {
    auto const y = nowhere(1, {6, 6, 3, 3});
    auto const x = nowhere(2, {8, 8}), z = nowhere(2, {6, 6});
    auto const inside = make_plan(assign(y, windows(x, {3, 3}) * 2));
    CHECK(inside.g.spaces.size() == 1);
    auto const border = make_plan(assign(y, windows(z, {3, 3}, {.padding = {1, 1}}) * 2));
    CHECK(border.g.spaces.size() == 2);
    CHECK(border.s[named(border, "pad")].by == way::scratch);
    CHECK(border.s[named(border, "windows")].by == way::streamed);
}

TEST_CASE("a view that stays inside of another view is strides of its box") {
    auto const y = nowhere(1, {6, 6, 3, 3});
    auto const z = nowhere(2, {6, 6});
    auto const m =
        felt::detail::window_map("here", felt::extents<2>{{8, 8}}, felt::extents<2>{{3, 3}}, {});
    auto const around = [&](auto const& inner) {
        return felt::make_general_view(inner, m, 0.F, "windows");
    };
    auto const p = make_plan(assign(y, around(pad(z, {{1, 1}, {1, 1}})) * 2));
    CHECK(p.g.spaces.size() == 2);
    CHECK(p.s[named(p, "pad")].by == way::scratch);
    CHECK(p.s[named(p, "windows")].by == way::streamed);
    auto const q = make_plan(assign(y, around(felt::exp(nowhere(2, {8, 8}))) * 2));
    CHECK(q.s[named(q, "windows")].by == way::scratch);  // a function has no strides
}

TEST_CASE("a reduction has loops over its operand, a product over its labels, one for each side") {
    auto const x = nowhere(1, {30, 40}), w = nowhere(2, {40, 50});
    auto const r = nowhere(3, {30});
    auto const p = make_plan(assign(r, felt::sum<1>(matmul(x, w)) + 1));
    REQUIRE(p.g.spaces.size() == 4);
    auto const& sum = p.g[named(p, "sum")];
    auto const& product = p.g[named(p, "matmul")];
    CHECK(sum.space == felt::planning::space_id(0));
    CHECK(p.g[sum.inner].extent[1] == 50);
    CHECK(product.space == sum.inner);
    CHECK(p.g[product.inner].rank == 3);
    CHECK(p.g[product.inner].extent[2] == 40);
    CHECK(p.g[leaf(p, 1)].space == product.inner);
    CHECK(p.g[leaf(p, 2)].space == product.inner + 1);
    CHECK(p.g[leaf(p, 1)].by_loop[2] == 1);
    CHECK(p.g[leaf(p, 1)].by_loop[1] == 0);
    CHECK(p.g[leaf(p, 2)].by_loop[2] == 50);
    CHECK(p.g[leaf(p, 2)].by_loop[1] == 1);
}

TEST_CASE("a gather has loops for its source and loops for its indices") {
    auto const x = nowhere(1, {30, 40}), y = nowhere(2, {7, 40});
    auto const rows = nowhere<int>(3, {7});
    auto const p = make_plan(assign(y, felt::gather<0>(x, rows)));
    auto const& gather = p.g.nodes[0];
    CHECK(gather.what == kind::gather);
    CHECK(p.g[gather.inner].rank == 2);
    CHECK(p.g[gather.inner + 1].rank == 1);
    CHECK(p.g[gather.inner + 1].extent[0] == 7);
}
