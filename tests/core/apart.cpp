// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/apart.hpp>
#include <string>
#include <utility>

namespace {

std::string joined(std::string&& a, std::string const& b, int& calls) {
    ++calls;
    return std::move(a) + b;
}

int& same(int& x) { return x; }

}  // namespace

TEST_CASE("apart<f> calls f, and references go through") {
    int calls = 0;
    std::string first = "a ";
    CHECK(felt::apart<&joined>::call(std::move(first), "product", calls) == "a product");
    CHECK(calls == 1);
    CHECK(&felt::apart<&same>::call(calls) == &calls);
}
