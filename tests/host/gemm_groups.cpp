// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::index_t;
using felt::host::for_each_group;
using felt::host::groups_cover;
using felt::planning::block_diagonal;
using felt::planning::box;
using felt::planning::label_id;

namespace {

// Label 0 has four of each of the indices of label 1.
block_diagonal const fours{label_id(0), label_id(1), 4};

box over(index_t lo, index_t hi, index_t first, index_t last) {
    box b;
    b.rank = 2;
    b.lo[0] = lo, b.hi[0] = hi;
    b.lo[1] = first, b.hi[1] = last;
    return b;
}

std::vector<std::vector<index_t>> blocks(block_diagonal const& d, box const& b) {
    std::vector<std::vector<index_t>> all;
    for_each_group(d, b, [&](box const& part) {
        all.push_back({part.lo[0], part.hi[0], part.lo[1], part.hi[1]});
    });
    return all;
}

}  // namespace

TEST_CASE("a box is cut into its blocks, of which the first and the last may be a part") {
    using list = std::vector<std::vector<index_t>>;
    CHECK(blocks(fours, over(0, 12, 0, 3)) == list{{0, 4, 0, 1}, {4, 8, 1, 2}, {8, 12, 2, 3}});
    CHECK(blocks(fours, over(2, 9, 0, 3)) == list{{2, 4, 0, 1}, {4, 8, 1, 2}, {8, 9, 2, 3}});
    CHECK(blocks(fours, over(0, 12, 1, 2)) == list{{4, 8, 1, 2}});
    CHECK(blocks(fours, over(0, 4, 1, 3)).empty());
    CHECK(blocks({}, over(2, 9, 0, 3)) == list{{2, 9, 0, 3}});
}

TEST_CASE("indices that no block of a box has, have no terms") {
    CHECK(groups_cover(fours, over(2, 9, 0, 3)));
    CHECK(groups_cover(fours, over(4, 8, 1, 2)));
    CHECK(!groups_cover(fours, over(2, 9, 1, 3)));
    CHECK(!groups_cover(fours, over(2, 9, 0, 2)));
    CHECK(groups_cover({}, over(2, 9, 1, 1)));
}
