// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/tensor/owners.hpp>

using felt::detail::memory_owners;

TEST_CASE("memory has a number from end to end, and another one when it changes hands") {
    memory_owners owners;
    char memory[64];
    owners.begin(memory, 16);
    owners.begin(memory + 32, 16);
    auto const first = owners.of(memory), second = owners.of(memory + 32);
    CHECK(first != 0);
    CHECK(second != first);
    CHECK(owners.of(memory + 15) == first);
    CHECK(owners.of(memory + 16) == 0);
    owners.change(memory);
    CHECK(owners.of(memory) != first);
    CHECK(owners.of(memory) != second);
    CHECK(owners.of(memory + 47) == second);
    owners.end(memory + 32);
    CHECK(owners.of(memory + 32) == 0);
    owners.begin(memory + 32, 8);
    CHECK(owners.of(memory + 32) != second);
    owners.change(memory + 48);  // nobody's
    CHECK(owners.of(memory + 48) == 0);
}

TEST_CASE("sources that do not check know no owners") {
    int memory = 0;
    felt::detail::owner_begins<true>(&memory, sizeof(memory));
    CHECK(felt::detail::owner_of<true>(&memory, 1) != 0);
    CHECK(felt::detail::owner_of<true>(&memory, 0) == 0);
    CHECK(felt::detail::owner_of<false>(&memory, 1) == 0);
    felt::detail::owner_ends<true>(&memory);
}
