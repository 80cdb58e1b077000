// SPDX-License-Identifier: BSD-3-Clause
//
// Tensors on the device own their memory, which is counted.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("tensors are zero, copies are deep, moves are not") {
    auto const before = allocations();
    Tensor<float, 2, Device> x({4, 5});
    CHECK(allocations().tensors - before.tensors == 1);
    CHECK(allocations().bytes - before.bytes == 80);
    CHECK(float(sum(abs(x))) == 0);
    x = 3;
    auto y = x;
    y = 4;
    CHECK(float(sum(x)) == 60);
    auto const* const data = y.data();
    auto const z = std::move(y);
    CHECK(z.data() == data);
    CHECK(float(sum(z)) == 80);
    storage<double, Device> const none(0, true);
    CHECK(none.data() == nullptr);
    CHECK(none.copy().size() == 0);
}
