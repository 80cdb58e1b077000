// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/fixed_string.hpp>
#include <string>
#include <type_traits>

namespace {
template <felt::fixed_string S>
struct tagged {
    static std::string text() { return S.text; }
};
}  // namespace

TEST_CASE("a literal is a part of a type") {
    static_assert(std::is_same_v<tagged<"w">, tagged<"w">>);
    static_assert(!std::is_same_v<tagged<"w">, tagged<"v">>);
    static_assert(!std::is_same_v<tagged<"w">, tagged<"w1">>);
    constexpr felt::fixed_string w = "w";
    static_assert(std::is_same_v<tagged<w + felt::fixed_string("'s sum")>, tagged<"w's sum">>);
    CHECK(tagged<"ij,jk->ik">::text() == "ij,jk->ik");
}
