// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <string>

using felt::planning::special_case;

TEST_CASE("every special case says what it gained and where that is measured") {
    for (special_case const* s : felt::planning::special_cases) {
        CAPTURE(s->name);
        CHECK(s->gain > 1.0);
        CHECK(std::string(s->benchmark).find('/') != std::string::npos);
        CHECK(std::string(s->condition).size() > 10);
    }
}
