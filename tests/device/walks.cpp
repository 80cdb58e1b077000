// SPDX-License-Identifier: BSD-3-Clause
//
// Loops that are merged.
#include "tests/device/same.hpp"

using namespace felt;
using device::walk;
using device::detail::walker;

namespace {
walk walk_of(std::initializer_list<index_t> e) {
    walk w;
    for (index_t n : e) {
        w.axis[w.rank] = w.rank;
        w.extent[w.rank++] = n;
    }
    return w;
}
}  // namespace

TEST_CASE("neighbours that everything walks as one are one loop, the last") {
    walk w = walk_of({4, 1, 5, 6});
    std::vector<walker> all = {{{30, 99, 6, 1}}, {{0, 0, 6, 1}}};
    device::detail::merge_range(w, 0, 4, all);
    CHECK(std::vector(w.extent, w.extent + 4) == std::vector<index_t>{1, 1, 4, 30});
    CHECK(std::vector(w.axis, w.axis + 4) == std::vector{-1, -1, 0, 3});
    CHECK(all == std::vector<walker>{{{0, 0, 30, 1}}, {{0, 0, 0, 1}}});
}

TEST_CASE("loops of one side do not merge with those of the other") {
    walk w = walk_of({4, 5, 6});
    std::vector<walker> all = {{{30, 6, 1}}};
    device::detail::merge_range(w, 0, 1, all);
    device::detail::merge_range(w, 1, 3, all);
    CHECK(std::vector(w.extent, w.extent + 3) == std::vector<index_t>{4, 1, 30});
}

TEST_CASE("nothing to walk along") {
    walk w = walk_of({1, 1});
    std::vector<walker> all;
    device::detail::merge_range(w, 0, 2, all);
    CHECK(w.size() == 1);
    CHECK(walk_of({}).size() == 1);
    CHECK(walk_of({3, 0}).size() == 0);
}
