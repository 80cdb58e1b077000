// SPDX-License-Identifier: BSD-3-Clause
//
// Expressions into destinations of any strides.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("destinations are views, and broadcast into") {
    Tensor<float, 2, Device> x({6, 8});
    slice(x, range(1, 6, 2), range(0, 8, 3)) = 2;
    CHECK(float(sum(x)) == 18);
    transpose(x) = iota<float>({6});
    CHECK(float(sum(x)) == 15 * 8);
    Tensor<float, 0, Device> one;
    one = 7;
    CHECK(to<Host>(one)() == 7);
    Tensor<double, 4, Device, ChannelsLast> y({2, 3, 5, 7});
    y = iota<double>({2, 3, 5, 7});
    CHECK(all_close(to<Host>(y), iota<double>({2, 3, 5, 7}), 0, 0));
}
