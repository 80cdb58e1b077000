// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/plan/box.hpp>
#include <vector>

using felt::index_t;
using felt::planning::axis_map;
using felt::planning::box;

namespace {

box box_of(std::vector<std::pair<index_t, index_t>> const& range) {
    box b;
    b.rank = static_cast<int>(range.size());
    for (std::size_t a = 0; a < range.size(); ++a) {
        b.lo[a] = range[a].first;
        b.hi[a] = range[a].second;
    }
    return b;
}

bool equal(box const& a, box const& b) {
    return a.rank == b.rank && a.contains(b) && b.contains(a);
}

// The box of all indices that a map reaches, by looking at each.
box image_by_points(axis_map const& m, box const& of) {
    box b = box_of({{1 << 20, -(1 << 20)}, {1 << 20, -(1 << 20)}});
    felt::planning::for_each_row(of, -1, [&](index_t const* at) {
        for (int a = 0; a < m.rank; ++a) {
            index_t i = m.offset[a];
            for (int l = 0; l < m.loops; ++l) i += m.coef[a][l] * at[l];
            b.lo[a] = std::min(b.lo[a], i);
            b.hi[a] = std::max(b.hi[a], i + 1);
        }
    });
    return b;
}

}  // namespace

TEST_CASE("a box has extents, a size and an inside") {
    box const b = box_of({{2, 5}, {0, 4}});
    CHECK(b.extent(0) == 3);
    CHECK(b.size() == 12);
    CHECK(box().size() == 1);
    CHECK(b.contains(b));
    CHECK(b.contains(box_of({{3, 5}, {1, 2}})));
    CHECK_FALSE(b.contains(box_of({{1, 5}, {0, 4}})));
    CHECK_FALSE(b.contains(box_of({{2, 5}, {0, 5}})));
    index_t const extent[] = {3, 4};
    CHECK(equal(felt::planning::whole_box(extent, 2), box_of({{0, 3}, {0, 4}})));
}

TEST_CASE("the identity leaves a box as it is, and every axis follows its own loop") {
    axis_map const m = felt::planning::identity(2);
    box const b = box_of({{2, 5}, {1, 4}});
    CHECK(equal(m.image(b), b));
    axis_map column = m;
    column.rank = 1;
    CHECK(column.follows(felt::planning::loop_id(0)));
    CHECK_FALSE(column.follows(felt::planning::loop_id(1)));
}

TEST_CASE("the image of a box holds what its points reach") {
    axis_map m{};
    m.rank = m.loops = 2;
    for (index_t c : {-2, -1, 0, 1, 3}) {
        for (index_t d : {-1, 0, 2}) {
            m.offset[0] = 7;
            m.offset[1] = -3;
            m.coef[0][0] = c;
            m.coef[0][1] = d;
            m.coef[1][1] = c + d;
            box const of = box_of({{2, 6}, {1, 4}});
            CHECK(equal(m.image(of), image_by_points(m, of)));
        }
    }
}

TEST_CASE("rows are visited in order, the last axis fastest, but for the one skipped") {
    box const b = box_of({{0, 2}, {5, 8}, {3, 5}});
    std::vector<index_t> seen;
    auto const note = [&](index_t const* at) { seen.push_back(100 * at[0] + 10 * at[1] + at[2]); };
    felt::planning::for_each_row(b, 1, note);
    CHECK(seen == std::vector<index_t>{53, 54, 153, 154});
    seen.clear();
    felt::planning::for_each_row(b, -1, note);
    CHECK(seen.size() == 12);
    CHECK(seen[2] == 63);
    seen.clear();
    felt::planning::for_each_row(box_of({{0, 2}, {4, 4}}), 1, note);
    CHECK(seen.empty());
    felt::planning::for_each_row(box(), -1, [&](index_t const*) { seen.push_back(1); });
    CHECK(seen.size() == 1);
}

TEST_CASE("for_each_point runs over the axes given, in their order") {
    box const b = box_of({{1, 3}, {5, 6}, {7, 9}});
    int const axes[] = {2, 0};
    std::vector<std::vector<index_t>> seen;
    auto const see = [&](index_t const* at) { seen.push_back({at[0], at[1], at[2]}); };
    felt::planning::for_each_point(b, axes, 2, -1, see);
    CHECK(seen == std::vector<std::vector<index_t>>{{1, 5, 7}, {2, 5, 7}, {1, 5, 8}, {2, 5, 8}});
    seen.clear();
    felt::planning::for_each_point(b, axes, 2, 0, see);
    CHECK(seen == std::vector<std::vector<index_t>>{{1, 5, 7}, {1, 5, 8}});
}
