// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/plan/exactness.hpp>
#include <thread>

using felt::exact_scope;
using felt::planning::is_exact_here;

TEST_CASE("a scope says it for its thread, until it ends, within others too") {
    CHECK_FALSE(is_exact_here());
    {
        exact_scope const outer;
        {
            exact_scope const inner;
            CHECK(is_exact_here());
        }
        CHECK(is_exact_here());
        bool elsewhere = true;
        std::thread([&] { elsewhere = is_exact_here(); }).join();
        CHECK_FALSE(elsewhere);
    }
    CHECK_FALSE(is_exact_here());
}
