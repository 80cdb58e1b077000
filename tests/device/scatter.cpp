// SPDX-License-Identifier: BSD-3-Clause
//
// scatter_add, and indices that are outside.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("scatter_add adds in the order of the indices") {
    same([](auto& x, auto&, auto& at) { return scatter_add<0>(x.extents(), at, x + 1); });
    same([](auto& x, auto&, auto& at) {
        return scatter_add<1>({x.extent(1), x.extent(0)}, at, transpose(x));
    });
}

TEST_CASE("an index outside is an error before anything is written") {
    auto const x = to<Device>(test::numbered({3, 4}));
    test::labels wrong({2});
    wrong(1) = 3;
    auto const there = to<Device>(wrong);
    Tensor<float, 2, Device> y({2, 4});
    y = 5;
    CHECK_THROWS_WITH_AS(y = gather<0>(x, there), "gather: index 3 is outside axis 0 of extent 3",
                         shape_error);
    wrong(0) = -1;
    auto const below = to<Device>(wrong);
    CHECK_THROWS_WITH_AS(y = scatter_add<0>({2, 4}, below, y),
                         "scatter_add: index -1 is outside axis 0 of extent 2", shape_error);
    CHECK(float(sum(y)) == 40);
}
