// SPDX-License-Identifier: BSD-3-Clause
//
// Ids of nodes, loop spaces and statements are not mixed up, and one that was not set is none.
#include <doctest/doctest.h>
#include <felt/plan/ids.hpp>
#include <concepts>
#include <type_traits>
#include <vector>

using felt::planning::axis_id;
using felt::planning::first_of;
using felt::planning::id_range;
using felt::planning::label_id;
using felt::planning::loop_id;
using felt::planning::node_id;
using felt::planning::space_id;
using felt::planning::statement_id;
using felt::planning::table;

namespace {

template <class Table, class Id>
concept looked_up_by = requires(Table& t, Table const& fixed, Id i) {
    t[i];
    fixed[i];
};
template <class A, class B>
concept compared = requires(A a, B b) { a == b; } || requires(A a, B b) { a < b; };
template <class A, class B>
concept subtracted = requires(A a, B b) { a - b; };

template <class A, class B>
constexpr bool apart = !std::is_convertible_v<A, B> && !std::is_convertible_v<B, A> &&
                       !std::is_constructible_v<A, B> && !std::is_constructible_v<B, A> &&
                       !std::is_assignable_v<A&, B> && !compared<A, B> && !subtracted<A, B> &&
                       !looked_up_by<table<A, int>, B> && !looked_up_by<table<B, int>, A>;

// No id is an int either, nor true or false by itself.
template <class A>
constexpr bool no_number =
    !std::is_convertible_v<A, int> && !std::is_convertible_v<A, std::size_t> &&
    !std::is_convertible_v<A, bool> && std::is_constructible_v<bool, A>;

}  // namespace

TEST_CASE("an id of one kind is none of another, and no number") {
    static_assert(apart<node_id, space_id>);
    static_assert(apart<node_id, statement_id>);
    static_assert(apart<space_id, statement_id>);
    static_assert(no_number<node_id> && no_number<space_id> && no_number<statement_id>);
    static_assert(compared<node_id, node_id> && subtracted<node_id, node_id>);
    static_assert(looked_up_by<table<node_id, int>, node_id>);
    static_assert(std::same_as<decltype(node_id{} - node_id{}), int>);
    static_assert(std::same_as<decltype(node_id{} + 1), node_id>);
    CHECK(sizeof(node_id) == sizeof(int));
}

TEST_CASE("an id that was not set is none, which is false") {
    node_id none, first = 0;
    CHECK_FALSE(none);
    CHECK(first);
    CHECK(none < first);
    CHECK(none == node_id{});
    CHECK(none + 1 == first);
    CHECK_FALSE(first - 1);
    none = first;
    CHECK(none);
}

TEST_CASE("ids count") {
    node_id x = 3;
    CHECK(x.index() == 3);
    CHECK(x.number() == 3);
    CHECK(x == node_id(std::size_t{3}));
    CHECK((x + 2).number() == 5);
    CHECK((x - 2).number() == 1);
    CHECK((x + 2) - x == 2);
    CHECK(x - (x + 2) == -2);
    CHECK((++x).number() == 4);
    CHECK((--x).number() == 3);
    CHECK(x < x + 1);
    CHECK(x >= x);
    CHECK(x != x + 1);
}

TEST_CASE("a range has its first id and all up to the one before its last") {
    id_range<node_id> const some{2, 5}, empty{4, 4};
    std::vector<int> seen;
    for (node_id x : some) seen.push_back(x.number());
    CHECK(seen == std::vector{2, 3, 4});
    for (node_id x : empty) FAIL("node " << x.number());
    CHECK_FALSE(some.contains(1));
    CHECK(some.contains(2));
    CHECK(some.contains(4));
    CHECK_FALSE(some.contains(5));
    CHECK_FALSE(empty.contains(4));
    CHECK_FALSE(some.contains(node_id{}));
}

TEST_CASE("a table says by which id its next element is found") {
    table<space_id, int> t;
    CHECK(t.size() == 0);
    CHECK(t.end_id() == space_id(0));
    space_id const a = t.add(10), b = t.add(20);
    t.add() = 30;
    CHECK(a == space_id(0));
    CHECK(b == a + 1);
    CHECK(t.end_id() == b + 2);
    CHECK(t[b] == 20);
    t[a] = 11;
    CHECK(t.back() == 30);
    std::vector<int> by_id;
    for (space_id i : t.ids()) by_id.push_back(t[i]);
    CHECK(by_id == std::vector{11, 20, 30});
    CHECK(by_id == std::vector(t.begin(), t.end()));
}

TEST_CASE("a table is made of one value, and filled") {
    table<node_id, int> t(3, 7);
    CHECK(std::vector(t.begin(), t.end()) == std::vector{7, 7, 7});
    CHECK(table<node_id, int>(2)[1] == 0);
    t.add() = 5;
    CHECK((t.size() == 4 && t.back() == 5));
    t.fill(4, 1);
    CHECK(std::vector(t.begin(), t.end()) == std::vector{1, 1, 1, 1});
    t.reserve(100);
    CHECK(t.size() == 4);
}

TEST_CASE("axes, loops and labels are taken for each other by nobody") {
    static_assert(!std::is_convertible_v<axis_id, loop_id>);
    static_assert(!std::is_convertible_v<loop_id, label_id>);
    static_assert(!std::is_convertible_v<label_id, axis_id>);
    static_assert(!std::is_assignable_v<loop_id&, axis_id>);
    static_assert(!std::is_convertible_v<int, loop_id>);  // who takes a number for one says so
    static_assert(std::is_constructible_v<loop_id, label_id>);
    int const extent[] = {5, 7, 11};
    CHECK(extent[loop_id(1)] == 7);
    CHECK(axis_id() < 0);
    std::vector<int> all;
    for (axis_id a : first_of<axis_id>(3)) all.push_back(a);
    CHECK(all == std::vector<int>{0, 1, 2});
    for (axis_id a : first_of<axis_id>(0)) all.push_back(a);
    CHECK(all.size() == 3);
}
