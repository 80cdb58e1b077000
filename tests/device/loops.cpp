// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of elements and the indices they have.
#include "tests/device/same.hpp"

using namespace felt;

TEST_CASE("division by multiplying is exact up to the last number that is counted") {
    for (index_t by : {1, 2, 3, 5, 7, 10, 641, 1000, 65536, 65537, 1000003, 2147483647}) {
        device::divisor const d(by);
        for (index_t n : {0, 1, 2, 6, 7, 640, 641, 999, 1000, 65535, 2147483646, 2147483647}) {
            for (index_t near : {n - 1, n, n / by * by, n / by * by - 1}) {
                if (near < 0) continue;
                auto const q = d.quotient(static_cast<device::count_t>(near));
                CHECK(q == near / by);
                CHECK(d.remainder(static_cast<device::count_t>(near), q) == near % by);
            }
        }
    }
}

TEST_CASE("numbers and indices") {
    extents<4> const e{{1, 2, 3, 5}};
    device::loops<4> const counted(e);
    CHECK(counted.first == 1);
    for (index_t i = 0; i < e.size(); ++i) {
        auto const at = device::index_of(i, e);
        CHECK(device::number_of(at, e) == i);
        auto const place = counted(static_cast<device::count_t>(i));
        for (std::size_t l = 0; l != 4; ++l) CHECK(place[l] == at[l]);
    }
    device::loops<3> const all_one(extents<3>{{1, 1, 1}});
    CHECK(all_one(0)[2] == 0);
}

TEST_CASE("axes that only the run knows") {
    extents<3> const at{{4, 5, 6}};
    CHECK(device::index_along(at, 1) == 5);
    CHECK(device::moved_to(at, 2, 9) == extents<3>{{4, 5, 9}});
    CHECK(device::moved(extents<3>{{100, 10, 1}}, at) == 456);
}
