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
