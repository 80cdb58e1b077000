// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/spaces.hpp>
#include <type_traits>

namespace {
struct Elsewhere {};
}  // namespace

using felt::Anywhere;
using felt::Host;
using felt::join_space_t;

TEST_CASE("what lives anywhere joins the space of the other operand") {
    CHECK(std::is_same_v<join_space_t<Anywhere, Host>, Host>);
    CHECK(std::is_same_v<join_space_t<Host, Anywhere>, Host>);
    CHECK(std::is_same_v<join_space_t<Anywhere, Elsewhere>, Elsewhere>);
    CHECK(std::is_same_v<join_space_t<Host, Host>, Host>);
    CHECK(std::is_same_v<join_space_t<Anywhere, Anywhere>, Anywhere>);
}

TEST_CASE("elements are accessible on the host") {
    CHECK(Host::element_access);
    CHECK_FALSE(Anywhere::element_access);
}
