// SPDX-License-Identifier: BSD-3-Clause
#include <support/scaling.hpp>
#include <doctest/doctest.h>

using table = felt::Tensor<float, 2>;

TEST_CASE("each column goes from the least to the largest value of all tables, and back") {
    table a = table::of({{1, 10, 5}, {3, 30, 5}}), b = table::of({{2, -10, 5}});
    table const a_before = a, b_before = b;
    auto const s = support::min_max({&a, &b});
    s.apply(a), s.apply(b);
    CHECK(bool(felt::all(a == table::of({{0, 0.5, 0}, {1, 1, 0}}))));
    CHECK(bool(felt::all(b == table::of({{0.5, 0, 0}}))));
    s.undo(a), s.undo(b);
    CHECK(bool(felt::all(a == a_before)));
    CHECK(bool(felt::all(b == b_before)));
}

TEST_CASE("the range is what one asks for") {
    table a = table::of({{1, 4}, {3, 4}, {2, 4}});
    support::min_max({&a}, -1, 1).apply(a);
    CHECK(bool(felt::all(a == table::of({{-1, -1}, {1, -1}, {0, -1}}))));
}
