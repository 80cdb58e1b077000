// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/tensor/literal.hpp>

using felt::Tensor;
using test::message;
using test::plain;
using test::values;

TEST_CASE("nested braces are tensors of rank 1 to 4") {
    CHECK(values(Tensor<int, 1>::of({3, 1, 2})) == plain{{3}, {3, 1, 2}});
    CHECK(values(Tensor<float, 2>::of({{1, 2}, {4, 5}})) == plain{{2, 2}, {1, 2, 4, 5}});
    CHECK(values(Tensor<double, 3>::of({{{1}, {2}}, {{3}, {4}}})) ==
          plain{{2, 2, 1}, {1, 2, 3, 4}});
    CHECK(values(Tensor<bool, 4>::of({{{{true, false}}}})) == plain{{1, 1, 1, 2}, {1, 0}});
}

TEST_CASE("a literal says what the elements are, not where they lie") {
    auto const f = Tensor<float, 2, felt::Host, felt::ColMajor>::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(values(f) == plain{{2, 3}, {1, 2, 3, 4, 5, 6}});
    CHECK(f.data()[1] == 4);
    auto const c = Tensor<int, 4, felt::Host, felt::ChannelsLast>::of({{{{1, 2}}, {{3, 4}}}});
    CHECK(values(c) == plain{{1, 2, 1, 2}, {1, 2, 3, 4}});
    CHECK(c.data()[1] == 3);
}

TEST_CASE("a literal may have one element or none") {
    CHECK(values(Tensor<float, 1>::of({5})) == plain{{1}, {5}});
    CHECK(values(Tensor<float, 1>::of({})) == plain{{0}, {}});
    CHECK(values(Tensor<float, 2>::of({{}, {}})) == plain{{2, 0}, {}});
}

TEST_CASE("rows of unequal length are an error that says which") {
    CHECK(message([] { (void)Tensor<int, 2>::of({{1, 2, 3}, {4, 5}}); }) ==
          "of: a row of 2 where axis 1 of (2, 3) has 3");
    CHECK(message([] { (void)Tensor<int, 3>::of({{{1}, {2}}, {{3}}}); }) ==
          "of: a row of 1 where axis 1 of (2, 2, 1) has 2");
    CHECK_THROWS_AS((Tensor<int, 2>::of({{1}, {2, 3}})), felt::shape_error);
}
