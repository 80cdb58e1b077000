// SPDX-License-Identifier: BSD-3-Clause
//
// One header has all that is needed.
#include <felt/grad.hpp>
#include <doctest/doctest.h>

TEST_CASE("a cost, and what it changes by") {
    auto const v = felt::Tensor<double, 1>::of({1, 2, 3});
    auto const x = felt::named<"v">(v);
    felt::Tensor<double, 1> const g = felt::grad<"v">(sum(x * x * x));
    CHECK((g(0) == 3 && g(1) == 12 && g(2) == 27));
}
