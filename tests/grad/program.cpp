// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

namespace {
Tensor<double, 1> v({3}), a, b, c;
template <class... I>
concept are_a_program = requires(I const&... i) { program(i...); };
template <fixed_string... Name>
using names = tuple<literal_name<Name>...>;
}  // namespace

TEST_CASE("a program is its parts in their order") {
    v = 2.0;
    auto const x = named<"v">(v);
    auto const p = keep<"a">(a, x * x);
    auto const z = let<"z">(p + 1);
    auto const q = keep<"b">(b, z * p);
    auto const all = program(p, z, q);
    CHECK(std::string(get<0>(all.items).label) == "a");
    CHECK(std::string(get<2>(all.items).label) == "b");
    static_assert(std::is_same_v<decltype(program(program(p, z), q)), decltype(program(p, z, q))>);
    static_assert(std::is_same_v<decltype(program(program(p))), decltype(program(p))>);
    static_assert(!are_a_program<decltype(program(p, z)), decltype(p)>);
}

TEST_CASE("its parts have names, those of a loop too") {
    Tensor<double, 2> X({4, 3}), H({4, 3});
    auto const h = keep<"h">(steps(H), named<"x">(steps(X)) + named<"h0">(v));
    auto const z = let<"z">(as_node(v) * 2);
    auto const loop = scan(program(h), state<"h0", "h">);
    using found = derive::names_of_parts<std::remove_const_t<decltype(z)>,
                                         std::remove_const_t<decltype(loop)>>;
    static_assert(std::is_same_v<found, names<"z", "h">>);
    static_assert(derive::are_distinct<found> && !derive::are_distinct<names<"z", "h", "z">>);
    CHECK(loop.count == 4);
}

TEST_CASE("names that are not told apart are no program") {
    auto const p = keep<"a">(a, named<"v">(v) * 2);
    auto const again = keep<"a">(b, p * p);
    auto const q = keep<"b">(b, p * p);
    auto const over_itself = keep<"v">(c, named<"v">(v) + 1);
    using P = decltype(p);
    using Q = decltype(q);
    CHECK(are_a_program<P, Q>);
    CHECK_FALSE(are_a_program<P, decltype(again)>);
    CHECK_FALSE(are_a_program<decltype(over_itself)>);
    CHECK_FALSE(are_a_program<Q, P>);  // which reads what is kept after it
}
