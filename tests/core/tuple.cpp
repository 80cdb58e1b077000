// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/tuple.hpp>
#include <memory>
#include <type_traits>

namespace {

struct first_empty {};
struct second_empty {};

constexpr auto digits = [](auto... x) {
    int all = 0;
    ((all = 10 * all + static_cast<int>(x)), ...);
    return all;
};

}  // namespace

TEST_CASE("a tuple gives its elements by number, to be read and to be written") {
    auto t = felt::make_tuple(1, 2.5, 'c');
    CHECK(felt::get<0>(t) == 1);
    CHECK(felt::get<1>(t) == 2.5);
    CHECK(felt::get<2>(t) == 'c');
    felt::get<1>(t) = 4.5;
    CHECK(t.tail.head == 4.5);
    auto const& constant = t;
    static_assert(std::is_const_v<std::remove_reference_t<decltype(felt::get<0>(constant))>>);
}

TEST_CASE("apply calls a function with all elements in order") {
    CHECK(felt::apply(digits, felt::make_tuple()) == 0);
    CHECK(felt::apply(digits, felt::make_tuple(1)) == 1);
    CHECK(felt::apply(digits, felt::make_tuple(1, 2)) == 12);
    CHECK(felt::apply(digits, felt::make_tuple(1, 2L, 3.0)) == 123);
    CHECK(felt::apply(digits, felt::make_tuple(1, 2, 3, 4)) == 1234);
    CHECK(felt::apply(digits, felt::make_tuple(1, 2, 3, 4, 5, 6, 7)) == 1234567);
}

TEST_CASE("apply passes elements by reference") {
    auto t = felt::make_tuple(1, 2, 3, 4, 5);
    felt::apply([](auto&... x) { ((x *= 2), ...); }, t);
    CHECK(felt::apply(digits, t) == 2 * 10000 + 4 * 1000 + 6 * 100 + 8 * 10 + 10);
    int& one = felt::apply([](auto& first, auto&...) -> int& { return first; }, t);
    CHECK(&one == &t.head);
}

TEST_CASE("a tuple moves what cannot be copied") {
    auto t = felt::make_tuple(std::make_unique<int>(7), 1);
    auto u = std::move(t);
    CHECK(*felt::get<0>(u) == 7);
}

TEST_CASE("a tuple is plain members: what it holds is trivially copied with it") {
    using plain = felt::tuple<int, float, first_empty>;
    CHECK(std::is_trivially_copyable_v<plain>);
    CHECK(std::is_aggregate_v<plain>);
    CHECK(std::is_standard_layout_v<felt::tuple<int>>);
    CHECK(sizeof(felt::tuple<first_empty, second_empty>) == 2);
    CHECK_FALSE(std::is_trivially_copyable_v<felt::tuple<std::unique_ptr<int>>>);
}

TEST_CASE("tuples work at compile time") {
    static_assert(felt::apply(digits, felt::make_tuple(4, 2)) == 42);
    static_assert(felt::get<2>(felt::make_tuple(1, 2, 3)) == 3);
}
