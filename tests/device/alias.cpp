// SPDX-License-Identifier: BSD-3-Clause
//
// Statements that read what they write.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("what a statement reads of what it writes is what was there before") {
    Tensor<float, 2> x = normal<float>({130, 130}, 1);
    auto y = to<Device>(x);
    x = x + transpose(x);
    y = y + transpose(y);
    CHECK(all_close(to<Host>(y), x));
    x = flip<0>(x) * 2;
    y = flip<0>(y) * 2;
    CHECK(all_close(to<Host>(y), x));
    x = x - mean<1>(x, keepdims);
    y = y - mean<1>(y, keepdims);
    CHECK(all_close(to<Host>(y), x, 1e-4, 1e-5));
    slice(x, range(0, 129), all()) = slice(x, range(1, 130), all());
    slice(y, range(0, 129), all()) = slice(y, range(1, 130), all());
    CHECK(all_close(to<Host>(y), x, 1e-4, 1e-5));
    x += x;
    y += y;
    CHECK(all_close(to<Host>(y), x, 1e-4, 1e-5));
}
