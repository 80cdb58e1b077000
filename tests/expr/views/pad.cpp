// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/pad.hpp>

using felt::index_t;
using felt::pad;
using felt::Tensor;
using test::computed;
using test::message;
using test::numbered;
using test::plain;
using test::values;

namespace {

plain padded(plain const& x, index_t top, index_t bottom, index_t left, index_t right, double v) {
    index_t const m = x.extents[0], n = x.extents[1];
    return computed({m + top + bottom, n + left + right}, [&](auto at) {
        index_t const i = at[0] - top, j = at[1] - left;
        return i >= 0 && i < m && j >= 0 && j < n ? x(i, j) : v;
    });
}

}  // namespace

TEST_CASE("pad puts a value around") {
    auto const x = Tensor<int, 2>::of({{1, 2}, {3, 4}});
    CHECK(values(pad(x, {{0, 0}, {1, 2}}, 9)) == plain{{2, 5}, {9, 1, 2, 9, 9, 9, 3, 4, 9, 9}});
    CHECK(values(pad(x, {{1, 0}, {0, 0}})) == plain{{3, 2}, {0, 0, 1, 2, 3, 4}});
    CHECK(values(pad(x, {{0, 0}, {0, 0}})) == values(x));
    CHECK(values(pad(Tensor<float, 1>::of({1}), {{1, 1}}, 0.5)) == plain{{3}, {0.5, 1, 0.5}});
}

TEST_CASE("pad of tensors in any layout, of expressions, reductions and products") {
    auto const x = numbered<Tensor<float, 2>>({19, 37});
    auto const a = values(x);
    CHECK(values(pad(x, {{3, 1}, {2, 20}}, -1)) == padded(a, 3, 1, 2, 20, -1));
    CHECK(values(pad(transpose(transpose(x) * 2), {{1, 1}, {1, 1}}, 5) / 2) ==
          padded(a, 1, 1, 1, 1, 2.5));
    Tensor<float, 2, felt::Host, felt::ColMajor> const c = x;
    CHECK(values(pad(c, {{0, 2}, {1, 0}}, 7)) == padded(a, 0, 2, 1, 0, 7));
    auto const p = values(matmul(x, transpose(x)));
    CHECK(values(pad(matmul(x, transpose(x)), {{1, 2}, {3, 4}}, 1) * 1) ==
          padded(p, 1, 2, 3, 4, 1));
}

TEST_CASE("an operand without elements is padding alone") {
    Tensor<float, 2> const none({0, 2});
    CHECK(values(pad(none, {{1, 1}, {0, 0}}, 3)) == plain{{2, 2}, {3, 3, 3, 3}});
}

TEST_CASE("a negative width is an error") {
    CHECK(message([] { (void)pad(Tensor<int, 1>({3}), {{-1, 0}}); }) ==
          "pad: negative width on axis 0 of (3)");
}
