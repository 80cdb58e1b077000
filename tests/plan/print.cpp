// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/plan/print.hpp>

TEST_CASE("amounts are written for people") {
    using felt::planning::detail::amount;
    CHECK(amount(0, "B", 1024) == "0 B");
    CHECK(amount(1536, "B", 1024) == "1.5 KiB");
    CHECK(amount(3.0 * 1024 * 1024, "B", 1024) == "3 MiB");
    CHECK(amount(6.12e6, "flop", 1000) == "6.1 Mflop");
    CHECK(amount(2e12, "flop", 1000) == "2 Tflop");
}
