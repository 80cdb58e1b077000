// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/host/loop_view.hpp>

using felt::index_t;
using felt::host::loop_view;

namespace {

struct loops {
    felt::planning::loop_space in;
    felt::planning::loop_schedule how;

    loops() {
        in.rank = 2;
        in.extent[0] = 70, in.extent[1] = 90;
        how.block[0] = 7, how.block[1] = 90;
        how.order[0] = felt::planning::loop_id(1), how.order[1] = felt::planning::loop_id(0);
        how.lane = felt::planning::loop_id(1);
        how.mirror = 32;
    }
};

}  // namespace

TEST_CASE("loops are seen with what is decided about them") {
    loops of;
    loop_view const view(of.in, of.how);
    CHECK(view.rank == 2);
    CHECK(view.lane == 1);
    CHECK(view.mirror == 32);
    for (int l = 0; l < 2; ++l) {
        CHECK(view.extent[l] == of.in.extent[l]);
        CHECK(view.block[l] == of.how.block[l]);
        CHECK(view.order[l] == of.how.order[l]);
    }
}

TEST_CASE("other blocks cut the same loops, and the decided ones stay") {
    loops of;
    loop_view const view(of.in, of.how);
    index_t const block[] = {1, 16};
    loop_view const cut = view.by_blocks(block);
    CHECK(cut.block[0] == 1);
    CHECK(cut.block[1] == 16);
    CHECK(view.block[0] == 7);
    CHECK(view.block[1] == 90);
    CHECK(cut.rank == 2);
    CHECK(cut.lane == 1);
    CHECK(cut.mirror == 32);
    CHECK(cut.extent[0] == 70);
    CHECK(cut.order[0] == 1);
}
