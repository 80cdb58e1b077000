// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/host/fill_around.hpp>
#include <vector>

using felt::index_t;
using felt::planning::box;

namespace {

// A box of 5 x 6 from (2, 3) on, in memory with gaps, of which `inside` is not filled.
void check(box const& inside, int row) {
    box all;
    all.rank = 2;
    all.lo[0] = 2, all.hi[0] = 7, all.lo[1] = 3, all.hi[1] = 9;
    index_t const stride[2] = {row == 0 ? 1 : 8, row == 0 ? 7 : row == 1 ? 1 : 9};
    std::vector<int> x(100, 1);
    felt::host::fill_around(x.data(), stride, all, inside, row, 5);
    int filled = 0;
    for (index_t i = 2; i < 7; ++i) {
        for (index_t j = 3; j < 9; ++j) {
            index_t const at[2] = {i, j};
            bool within = true;
            for (int a = 0; a < 2; ++a)
                within = within && at[a] >= inside.lo[a] && at[a] < inside.hi[a];
            int const value =
                x[static_cast<std::size_t>((i - 2) * stride[0] + (j - 3) * stride[1])];
            CHECK(value == (within ? 1 : 5));
            filled += within ? 0 : 1;
        }
    }
    CHECK(std::count(x.begin(), x.end(), 5) == filled);  // and nothing else
}

}  // namespace

TEST_CASE("what is around a box is filled, and nothing else") {
    for (int row : {0, 1}) {
        for (index_t lo0 : {2, 4}) {
            for (index_t hi1 : {3, 6, 9}) {
                box inside;
                inside.rank = 2;
                inside.lo[0] = lo0, inside.hi[0] = 7, inside.lo[1] = 3, inside.hi[1] = hi1;
                check(inside, row);
            }
        }
    }
}

TEST_CASE("without a row, elements are filled one by one") {
    box all, inside;
    all.rank = inside.rank = 1;
    all.hi[0] = 4, inside.lo[0] = 1, inside.hi[0] = 2;
    index_t const stride[1] = {2};
    std::vector<int> x(8, 1);
    felt::host::fill_around(x.data(), stride, all, inside, -1, 5);
    CHECK(x == std::vector<int>{5, 1, 1, 1, 5, 1, 5, 1});
}
