// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/config.hpp>
#include <regex>
#include <string>

namespace {

FELT_FN int twice(int x) { return 2 * x; }
FELT_INLINE int inlined(int x) { return x + 1; }
FELT_HOST_DEVICE int anywhere(int x) { return x - 1; }

#if defined(NDEBUG)
constexpr bool release = true;
#else
constexpr bool release = false;
#endif

}  // namespace

TEST_CASE("FELT_FN marks functions that also run at compile time") {
    static_assert(twice(21) == 42);
    CHECK(inlined(anywhere(twice(21))) == 42);
}

TEST_CASE("element access is checked unless NDEBUG says otherwise") {
    CHECK(FELT_CHECKED == !release);
}

TEST_CASE("a loop under FELT_PRAGMA_PARALLEL_FOR runs every step once") {
    int done[100] = {};
    FELT_PRAGMA_PARALLEL_FOR(3)
    for (int i = 0; i < 100; ++i) done[i] += 1;
    for (int i : done) REQUIRE(i == 1);
}

TEST_CASE("only the pass of nvcc for the device is not the host's") {
    static_assert(felt::host_pass);  // device/host_statements needs the other
}

TEST_CASE("the version is three numbers") {
    CHECK(std::regex_match(FELT_VERSION, std::regex("[0-9]+\\.[0-9]+\\.[0-9]+")));
}
