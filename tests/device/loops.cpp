// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of elements and the indices they have.
#include "tests/device/same.hpp"

using namespace felt;

namespace {
template <class I>
void divide(std::initializer_list<index_t> by, std::initializer_list<index_t> numbers) {
    for (index_t d : by) {
        device::divisor<I> const divisor(d);
        for (index_t n : numbers) {
            for (index_t near : {n - 1, n, n / d * d, n / d * d - 1}) {
                if (near < 0) continue;
                auto const q = divisor.quotient(static_cast<I>(near));
                CHECK(q == near / d);
                CHECK(divisor.rest(static_cast<I>(near), q) == near % d);
            }
        }
    }
}
}  // namespace

TEST_CASE("division by multiplying is exact up to the last number that is counted") {
    divide<device::count_t>({1, 2, 3, 5, 7, 10, 641, 1000, 65536, 65537, 1000003, 2147483647},
                            {0, 1, 2, 6, 640, 999, 1000, 65535, 2147483646, 2147483647});
    index_t const most = std::numeric_limits<index_t>::max();
    divide<index_t>({1, 2, 3, 7, 1000, 2147483648, 4294967297, 1000000000039, most - 1, most},
                    {0, 1, 6, 999, 2147483648, 4294967296, 123456789012345678, most - 1, most});
}

TEST_CASE("numbers and indices") {
    CHECK(device::loops<4>(extents<4>{{1, 2, 3, 5}}).first == 1);
    for (extents<4> const e : {extents<4>{{1, 2, 3, 5}}, {{2, 1, 1, 5}}, {{1, 3, 1, 2}}}) {
        device::loops<4> const counted(e);
        device::loops<4, index_t> const wide(e);
        for (index_t i = 0; i < e.size(); ++i) {
            auto const place = counted(static_cast<device::count_t>(i));
            extents<4> at;
            for (std::size_t l = 0; l != 4; ++l) at[l] = place[l];
            CHECK(device::number_of(at, e) == i);
            for (std::size_t l = 0; l != 4; ++l) CHECK(at[l] < e[l]);
            for (std::size_t l = 0; l != 4; ++l) CHECK(wide(i)[l] == at[l]);
        }
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
