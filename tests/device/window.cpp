// SPDX-License-Identifier: BSD-3-Clause
//
// Pools and other folds of windows.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("windows and pools are read through") {
    Tensor<float, 4> const x = normal<float>({2, 3, 11, 13}, 5);
    auto const there = to<Device>(x);
    auto const equal = [](auto const& a, auto const& b) {
        return bool(all_close(to<Host>(eval(a)), eval(b), 1e-5, 1e-6));
    };
    CHECK(equal(sum<-1, -2>(windows(there, {3, 3})), sum<-1, -2>(windows(x, {3, 3}))));
    CHECK(equal(max_pool2d(sigmoid(there), {.window = {3, 3}, .stride = {2, 2}, .padding = {1, 1}}),
                max_pool2d(sigmoid(x), {.window = {3, 3}, .stride = {2, 2}, .padding = {1, 1}})));
    CHECK(equal(avg_pool2d(there), avg_pool2d(x)));
    CHECK(equal(cast<float>(argmax_pool2d(there)), cast<float>(argmax_pool2d(x))));
    auto const d = eval(avg_pool2d(x));
    auto const at = eval(argmax_pool2d(x));
    CHECK(equal(avg_pool2d_grad(to<Device>(d), x.extents()), avg_pool2d_grad(d, x.extents())));
    CHECK(equal(max_pool2d_grad(to<Device>(d), to<Device>(at), x.extents()),
                max_pool2d_grad(d, at, x.extents())));
}
