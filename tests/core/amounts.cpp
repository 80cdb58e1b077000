// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/amounts.hpp>

TEST_CASE("amounts have three digits at most, and a unit") {
    CHECK(felt::detail::bytes_text(0) == "0 B");
    CHECK(felt::detail::bytes_text(1536) == "1.5 KiB");
    CHECK(felt::detail::bytes_text(1023) == "1023 B");
    CHECK(felt::detail::amount(221000, "flop", 1000) == "221 kflop");
}
