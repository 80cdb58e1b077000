// SPDX-License-Identifier: BSD-3-Clause
//
// What the host's loops are told, so that they ask nothing.
#include "tests/plan/asked.hpp"
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::planning::make_plan;
using felt::planning::node_id;
using felt::planning::plan;
using test::named;
using test::nowhere;

TEST_CASE("a product of a row, or of few by dot products, streams its right operand") {
    auto const w = nowhere(1, {300, 400}), turned = nowhere(1, {400, 300});
    auto const streams = [](auto const& s) {
        return test::product_of(make_plan(s), 0).streams_right;
    };
    for (felt::index_t rows : {1, 2, 3, 4, 5, 8}) {
        CAPTURE(rows);
        auto const x = nowhere(2, {rows, 300}), y = nowhere(3, {rows, 400});
        CHECK(streams(assign(y, matmul(x, w))) == (rows == 1));
        CHECK(streams(assign(y, matmul(x, transpose(turned)))) == (rows <= 300 / 64));
    }
    auto const x = nowhere(1, {15, 4000}), v = nowhere(2, {80, 4000}), y = nowhere(3, {15, 80});
    CHECK(streams(assign(y, matmul(x, transpose(v)))));
    auto const few = nowhere(1, {2, 3}), u = nowhere(2, {80, 3}), z = nowhere(3, {2, 80});
    CHECK(streams(assign(z, matmul(few, transpose(u)))));
}

TEST_CASE("rows of memory that lie a page apart are copied where many columns read them") {
    auto const copies = [](felt::index_t terms, felt::index_t rows) {
        auto const x = nowhere(1, {rows, terms}), w = nowhere(2, {2048, terms});
        plan const p = make_plan(assign(nowhere(3, {rows, 2048}), matmul(x, transpose(w))));
        return test::product_of(p, 0).computes_left;
    };
    CHECK(copies(2048, 64));
    CHECK_FALSE(copies(2000, 64));  // read in place
    CHECK_FALSE(copies(2048, 16));  // by few columns
}

TEST_CASE("rows that are computed along the terms are not packed") {
    auto const x = nowhere(1, {300, 400}), w = nowhere(2, {400, 500}), y = nowhere(3, {300, 500});
    auto const computes = [&](auto const& left) {
        plan const p = make_plan(assign(y, matmul(left, w)));
        return test::product_of(p, 0).computes_left;
    };
    CHECK(computes(x * x));
    CHECK_FALSE(computes(x));
    CHECK_FALSE(computes(transpose(nowhere(4, {400, 300}) + 1.f)));
    auto const half = nowhere(4, {300, 200}), square = nowhere(5, {300, 300});
    felt::Tensor<felt::index_t, 1> const rows = felt::iota<felt::index_t>({300}),
                                         columns = felt::iota<felt::index_t>({400});
    CHECK(computes(felt::max<0>(nowhere(6, {3, 300, 400}))));
    CHECK(computes(felt::cumsum<1>(x)));
    CHECK(computes(felt::softmax<1>(x)));
    CHECK(computes(matmul(square, x)));
    CHECK(computes(concat<1>(half, half)));
    CHECK(computes(gather<0>(x, rows)));
    CHECK(computes(gather<1>(x, columns)));
    CHECK(computes(reshape(nowhere(7, {120000}) * 2.f, {300, 400})));
    CHECK(computes(felt::sum<0>(nowhere(6, {3, 300, 400})) + x));
}

TEST_CASE("an invariant is fixed if nothing below it is computed block by block") {
    auto const x = nowhere(1, {300, 400}), y = nowhere(2, {300, 400});
    plan const p = make_plan(assign(y, exp(nowhere(3, {400})) * x));
    node_id const id = named(p, "exp");
    CHECK(p.s[id].kept_along >= 0);
    CHECK(p.s[id].fixed);
}

TEST_CASE("sums of so many rows that they carry their rounding say so") {
    auto const few = nowhere(1, {64, 400}), many = nowhere(2, {4000, 400});
    auto const y = nowhere(3, {400});
    auto const carries = [&](auto const& x) {
        plan const p = make_plan(assign(y, felt::sum<0>(x)));
        return p.s[named(p, "sum")].carries_rounding;
    };
    CHECK_FALSE(carries(few));
    CHECK(carries(many));
}

TEST_CASE("loops know the rows that are summed over, and nodes the axis of their lanes") {
    auto const x = nowhere(1, {300, 400});
    auto const y = nowhere(2, {400}), z = nowhere(3, {300});
    plan const down = make_plan(assign(y, felt::sum<0>(x)));
    node_id const sum = named(down, "sum");
    CHECK(down.s[down.g[sum].inner].summed_rows == 1U);
    CHECK(down.s[sum].lane_axis == 0);
    plan const along = make_plan(assign(z, felt::sum<1>(x)));
    CHECK(along.s[along.g[named(along, "sum")].inner].summed_rows == 0U);
}
