// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

TEST_CASE("what is kept is read from its tensor from then on") {
    Tensor<double, 2> w({2, 3}), x({3, 4}), memory;
    w = 1.0, x = 0.5;
    auto const n = named<"w">(w);
    auto const h = keep<"h">(memory, matmul(n, x) * 2);
    CHECK(memory.extents() == extents<2>{{2, 4}});  // it was empty
    static_assert(std::is_same_v<decltype(as_node(h)), decltype(named<"h">(memory))>);
    fuse(h.items().head);
    CHECK(memory(1, 3) == 3);
    CHECK(static_cast<double>(sum(h)) == 24);
    Tensor<double, 2> wrong({3, 3});
    CHECK_THROWS_AS((void)keep<"h">(wrong, matmul(n, x)), shape_error);
}

TEST_CASE("a program is its parts in their order") {
    Tensor<double, 1> v({3}), a, b;
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
}
