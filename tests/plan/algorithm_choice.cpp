// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/plan/algorithm_choice.hpp>
#include <thread>

using felt::exact_scope;

namespace {

bool is_exact_here() { return felt::planning::choice_of_this_thread().exact; }

}  // namespace

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

TEST_CASE("an algorithm for all convolutions, as long as a scope lives") {
    using namespace felt::planning;
    CHECK(choice_of_this_thread().only == nullptr);
    {
        choice_scope const here({false, &winograd_2});
        CHECK(choice_of_this_thread().only == &winograd_2);
        exact_scope const none;
        CHECK(choice_of_this_thread().only == nullptr);
    }
    CHECK(choice_of_this_thread().only == nullptr);
}
