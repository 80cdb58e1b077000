// SPDX-License-Identifier: BSD-3-Clause
//
// Common sub-expressions have the loops of the first of them.
#include "tests/plan/asked.hpp"
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::planning::node_id;
using test::nowhere;

TEST_CASE("equal nodes are summed in one order, whoever reads them") {
    // Read along its rows and along its columns, of which there are few.
    felt::Tensor<float, 2> const a({600, 3000}), b({3000, 2});
    auto const q = matmul(a, b);
    auto const s = assign(nowhere(9, {600, 2}), felt::softmax<1>(q) + q - felt::max<0>(q));
    auto const p = felt::explain(s);
    int others = 0;
    for (node_id id : p.g.nodes.ids()) {
        auto const& f = p.s[id];
        if (!f.slot || f.slot == id || !p.g[id].inner) continue;
        auto const &in = p.s[p.g[id].inner], &in_first = p.s[p.g[f.slot].inner];
        ++others;
        if (p.g[id].what == felt::planning::kind::contract) {
            auto const &product = test::product_of(p, id), &of_first = test::product_of(p, f.slot);
            CHECK(product.rows_from == of_first.rows_from);
            CHECK(product.kc == of_first.kc);
        }
        CHECK(in.lane == in_first.lane);
        CHECK(in.block[0] == in_first.block[0]);
    }
    CHECK(others > 3);
}
