// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/type_mark.hpp>

TEST_CASE("a mark stands for one type, also while the program is compiled") {
    auto const one = [](auto v) { return v; };
    auto const other = [](auto v) { return v; };
    static_assert(felt::type_mark<int>() == felt::type_mark<int>());
    static_assert(felt::type_mark<int>() != felt::type_mark<int const>());
    CHECK(felt::type_mark<decltype(one)>() != felt::type_mark<decltype(other)>());
}
