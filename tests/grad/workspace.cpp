// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

TEST_CASE("memory that is taken again is the same") {
    workspace<> memory;
    auto const a = memory.take<float>(extents<2>{{3, 5}});
    auto const b = memory.take<double>(extents<1>{{7}});
    CHECK(memory.bytes() == 64 + 56);
    CHECK(a.strides() == extents<2>{{5, 1}});
    memory.restart();
    CHECK(memory.take<float>(extents<2>{{3, 5}}).data() == a.data());
    CHECK(memory.take<double>(extents<1>{{6}}).data() == b.data());
    CHECK(memory.bytes() == 64 + 56);
}

TEST_CASE("what does not fit is made larger") {
    workspace<> memory;
    (void)memory.take<float>(extents<1>{{2}});
    memory.restart();
    auto const a = memory.take<float>(extents<1>{{200}});
    CHECK(a.extent(0) == 200);
    CHECK(memory.bytes() == 800);
}

TEST_CASE("a program that is derived again allocates nothing") {
    Tensor<double, 2> w({3, 4}), h, x({4, 5}), dw({3, 4});
    Tensor<double, 1> b({3}), db({3});
    w = 0.1, x = 0.2, b = 0.3;
    workspace<> memory;
    auto const run_once = [&] {
        auto const v = keep<"h">(h, tanh(matmul(named<"w">(w), x) + expand_dims<1>(named<"b">(b))));
        auto step = gradient(program(v), sum(square(v)), wrt<"w", "b">(), memory);
        return step(fused, dw, db);
    };
    double const cost = run_once();
    auto const bytes = memory.bytes();
    CHECK(bytes > 0);
    Tensor<double, 2> const first = dw;
    CHECK(run_once() == cost);
    CHECK(memory.bytes() == bytes);
    CHECK(all_close(dw, first, 0, 0));
}
