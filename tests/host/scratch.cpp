// SPDX-License-Identifier: BSD-3-Clause
//
// The arena. How much of it expressions take is in scratch_bound.cpp.
#include <cstdint>
#include <doctest/doctest.h>
#include <felt/host/scratch.hpp>

TEST_CASE("memory is taken in pieces and given back as a whole") {
    felt::host::arena a;
    auto* const first = a.take<float>(100);
    {
        felt::host::scratch_scope const scope(a);
        auto* const second = a.take<double>(1000);
        CHECK(static_cast<void*>(second) != static_cast<void*>(first));
        CHECK(reinterpret_cast<std::uintptr_t>(second) % 64 == 0);
        a.take<char>(200000);
        first[99] = 1;
        second[999] = 2;
    }
    auto* const third = a.take<float>(10);
    CHECK(third > first);
    third[9] = 3;
    CHECK(first[99] == 1);
}

TEST_CASE("the same scratch serves again") {
    felt::host::arena a;
    void* first = nullptr;
    for (int i = 0; i < 5; ++i) {
        felt::host::scratch_scope const scope(a);
        void* const p = a.take<float>(5000);
        if (i == 0) first = p;
        CHECK(p == first);
    }
}

TEST_CASE("pieces of any sizes, up to the limit, lie in the same memory") {
    felt::host::arena a;
    char* const base = a.take<char>(1);
    for (felt::index_t bytes = 1000; bytes < 2000000; bytes = bytes * 5 / 4) {
        felt::host::scratch_scope const scope(a);
        char* const p = a.take<char>(bytes);
        p[0] = p[bytes - 1] = 1;
        CHECK(p > base);
        CHECK(p + bytes <= base + felt::planning::scratch_limit);
    }
}

TEST_CASE("a piece larger than the limit, and what follows it, are there all the same") {
    felt::host::arena a;
    felt::index_t const bytes = 3 * felt::planning::scratch_limit;
    for (int i = 0; i < 2; ++i) {
        felt::host::scratch_scope const scope(a);
        char* const large = a.take<char>(bytes);
        char* const more = a.take<char>(bytes);
        large[bytes - 1] = more[bytes - 1] = 2;
        more[0] = 1;
        CHECK(large[bytes - 1] == 2);
    }
}
