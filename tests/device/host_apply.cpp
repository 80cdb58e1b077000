// SPDX-License-Identifier: BSD-3-Clause
//
// Functions over the elements of a tuple.
#include <doctest/doctest.h>
#include <felt/device/host_apply.hpp>

TEST_CASE("elements are arguments") {
    auto const sum = [](auto const&... x) { return (0 + ... + x); };
    CHECK(felt::device::spread(sum, felt::tuple<>{}) == 0);
    CHECK(felt::device::spread(sum, felt::make_tuple(1, short{2}, 3)) == 6);
}
