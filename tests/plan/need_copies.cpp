// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <felt/plan/need_copies.hpp>

using felt::index_t;
using felt::planning::loops;
using felt::planning::node_facts;
using felt::planning::detail::kept_bytes;
using felt::planning::detail::staged_bytes;

namespace {

// Loops over (64, 100), and a float that moves with the second.
struct in_a_row {
    loops p;
    node_facts f{};

    in_a_row() {
        index_t const extent[] = {64, 100};
        f.space = p.add_space(extent, 2);
        f.rank = 1, f.extent[0] = 100, f.value_bytes = 4;
        f.at.rank = 1, f.at.loops = 2;
        f.at.offset[0] = 0;
        f.at.coef[0][0] = 0, f.at.coef[0][1] = 1;
    }
    index_t kept(index_t rows, index_t columns) const {
        index_t const block[] = {rows, columns};
        return kept_bytes(p, f, block);
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
    CHECK(staged_bytes(x.p, x.f, block) == (100 + 64) * 4);
}

TEST_CASE("what is reshaped lies along its last axis, and is copied for a reader across it") {
    felt::Tensor<float, 2> const x({60, 70});
    felt::Tensor<float, 2> y({100, 42});
    auto const s = assign(y, transpose(reshape(felt::cumsum<0>(x), {42, 100})) * 2);
    auto const p = felt::explain(s);
    bool found = false;
    for (int id = 0; id < static_cast<int>(p.node.size()); ++id) {
        if (p.at(id).what != felt::planning::kind::reshape) continue;
        found = true;
        CHECK(felt::planning::detail::contiguous_along(p, id, 1));
        CHECK_FALSE(felt::planning::detail::contiguous_along(p, id, 0));
        auto const& f = p.at(id);
        int const lane = p.loop(f.space).lane;
        CHECK(felt::planning::detail::read_across(p, id) == (f.at.coef[0][lane] != 0));
    }
    CHECK(found);
}
