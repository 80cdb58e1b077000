// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/broadcast.hpp>

using felt::broadcast_to;
using felt::expand_dims;
using felt::Tensor;
using test::computed;
using test::message;
using test::plain;
using test::values;

TEST_CASE("expand_dims puts in an axis of extent 1") {
    auto const x = Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(expand_dims<0>(x).extents() == felt::extents<3>{{1, 2, 3}});
    CHECK(expand_dims<1>(x).extents() == felt::extents<3>{{2, 1, 3}});
    CHECK(expand_dims<2>(x).extents() == felt::extents<3>{{2, 3, 1}});
    CHECK(expand_dims<-1>(x).extents() == felt::extents<3>{{2, 3, 1}});
    CHECK(values(expand_dims<1>(x * 1)) == plain{{2, 1, 3}, {1, 2, 3, 4, 5, 6}});
}

TEST_CASE("broadcast_to repeats axes of extent 1 and leading ones") {
    auto const column = Tensor<int, 2>::of({{1}, {2}});
    CHECK(values(broadcast_to(column, {2, 3})) == plain{{2, 3}, {1, 1, 1, 2, 2, 2}});
    CHECK(values(broadcast_to(column, {2, 2, 1})) == plain{{2, 2, 1}, {1, 2, 1, 2}});
    CHECK(values(broadcast_to(column + 1, {2, 3})) == plain{{2, 3}, {2, 2, 2, 3, 3, 3}});
    CHECK(values(broadcast_to(column, felt::extents<2>{{2, 37}})) ==
          computed({2, 37}, [](auto at) { return static_cast<double>(at[0] + 1); }));
    CHECK(values(broadcast_to(column, {2, 0})) == plain{{2, 0}, {}});
}

TEST_CASE("what the library computes broadcasts too") {  // its types are found in two namespaces
    auto const one = felt::eye<double>(2);
    CHECK(values(broadcast_to(triu(one), one.extents())) == plain{{2, 2}, {1, 0, 0, 1}});
    auto const [x, y] = broadcast_arrays(felt::arange<double>(2), triu(one));
    CHECK(values(x) == plain{{2, 2}, {0, 1, 0, 1}});
    CHECK(values(y) == plain{{2, 2}, {1, 0, 0, 1}});
}

TEST_CASE("broadcast_to of what does not broadcast is an error") {
    CHECK(message([] { (void)broadcast_to(Tensor<int, 2>({2, 3}), {2, 6}); }) ==
          "broadcast_to: (2, 3) does not broadcast to (2, 6)");
    CHECK_THROWS_AS(broadcast_to(Tensor<int, 1>({3}), {3, 1}), felt::shape_error);
}
