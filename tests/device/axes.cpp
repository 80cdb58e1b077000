// SPDX-License-Identifier: BSD-3-Clause
//
// Indices and the maps that they follow.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("axes follow loops through broadcasting and affine views") {
    auto const own = device::own_loops<2>();
    auto const row = device::broadcast(own, extents<1>{{7}});
    CHECK(row(extents<2>{{4, 5}}) == extents<1>{{5}});
    auto const one = device::broadcast(own, extents<2>{{1, 7}});
    CHECK(one(extents<2>{{4, 5}}) == extents<2>{{0, 5}});
    view_map<2, 2> turned{{{7, 9}}, {{1, -1, 2, 0, 3}, {0, -1, -1, 0, 6}}};
    auto const source = device::through(turned, own);
    CHECK(source(extents<2>{{4, 5}}) == extents<2>{{13, 2}});
    auto const place = device::along(source, extents<2>{{10, 1}});
    CHECK(place(extents<2>{{4, 5}}) == 132);
}
