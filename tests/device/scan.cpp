// SPDX-License-Identifier: BSD-3-Clause
#include "tests/device/same.hpp"
#include <functional>

using namespace felt;
using test::same;

TEST_CASE("scans on the device are those of the host") {
    same([](auto& x, auto&, auto&) { return cumsum<0>(x * 0.5F); });
    same([](auto& x, auto& v, auto&) { return cummax<1>(x + v) * v; });
    same([](auto& x, auto&, auto&) { return sum<0>(cummin<0>(transpose(x))); });
    same([](auto& x, auto&, auto&) { return exclusive_scan<1>(std::plus<>{}, cumsum<0>(x), 1.F); });
}
