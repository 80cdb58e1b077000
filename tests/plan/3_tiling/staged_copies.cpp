// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <felt/plan/3_tiling/staged_copies.hpp>

using felt::index_t;
using felt::planning::graph;
using felt::planning::node;
using felt::planning::node_id;
using felt::planning::detail::kept_bytes;
using felt::planning::detail::staged_bytes;

namespace {

// Loops over (64, 100), and a float that moves with the second.
struct in_a_row {
    graph g;

    in_a_row() {
        index_t const extent[] = {64, 100};
        node& f = g.nodes.add();
        f.space = g.add_space(extent, 2);
        f.rank = 1, f.extent[0] = 100, f.value_bytes = 4;
        f.at.rank = 1, f.at.loops = 2;
        f.at.offset[0] = 0;
        f.at.coef[0][0] = 0, f.at.coef[0][1] = 1;
    }
    index_t kept(index_t rows, index_t columns) const {
        index_t const block[] = {rows, columns};
        return kept_bytes(g, 0, block);
    }
};

}  // namespace

TEST_CASE("a value is kept for a block that asks for it again, if it is not too much") {
    in_a_row const x;
    CHECK(x.kept(1, 100) == 0);
    CHECK(x.kept(8, 100) == (100 + 64) * 4);
    CHECK(x.kept(8, 30000) == 0);
}

TEST_CASE("a short row has room for its repetition") {
    in_a_row const x;
    CHECK(x.kept(8, 50) == (50 + felt::planning::repeated_elements + 128) * 4);
}

TEST_CASE("a copy for the lanes has an element for each point that moves it") {
    in_a_row const x;
    index_t const block[] = {8, 100};
    CHECK(staged_bytes(x.g, 0, block) == (100 + 64) * 4);
}

TEST_CASE("what is reshaped lies along its last axis, and is copied for a reader across it") {
    felt::Tensor<float, 2> const x({60, 70});
    felt::Tensor<float, 2> y({100, 42});
    auto const s = assign(y, transpose(reshape(felt::cumsum<0>(x), {42, 100})) * 2);
    auto const p = felt::explain(s);
    bool found = false;
    for (node_id id : p.g.nodes.ids()) {
        node const& f = p.g[id];
        if (f.what != felt::planning::kind::reshape) continue;
        found = true;
        CHECK(felt::planning::detail::contiguous_along(p.g, p.s, id, felt::planning::axis_id(1)));
        CHECK_FALSE(
            felt::planning::detail::contiguous_along(p.g, p.s, id, felt::planning::axis_id(0)));
        int const lane = p.s[f.space].lane;
        CHECK(felt::planning::detail::read_across(p.g, p.s, id) == (f.at.coef[0][lane] != 0));
    }
    CHECK(found);
}
