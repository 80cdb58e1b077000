// SPDX-License-Identifier: BSD-3-Clause
//
// Which loop runs along the lanes of vectors, and which operand of a product gives the rows.
#include "tests/plan/asked.hpp"
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <utility>
#include <tuple>

using felt::ColMajor;
using felt::index_t;
using felt::planning::make_plan;
using test::named;
using test::nowhere;
using test::product_of;

namespace {

template <class... S>
int lane_of(S const&... s) {
    auto const p = make_plan(s...);
    return p.s[p.g.statements[0].space].lane;
}

}  // namespace

TEST_CASE("lanes run where most bytes are contiguous, and the destination counts for more") {
    auto const y = nowhere(1, {300, 200}), x = nowhere(2, {300, 200}), b = nowhere(6, {300, 200});
    auto const f = nowhere<float, ColMajor>(3, {300, 200});
    auto const g = nowhere<float, ColMajor>(4, {300, 200});
    auto const h = nowhere<float, ColMajor>(5, {300, 200});
    CHECK(lane_of(assign(y, x + f)) == 1);
    CHECK(lane_of(assign(h, x + f)) == 0);
    CHECK(lane_of(assign(y, f + 1)) == 1);
    CHECK(lane_of(assign(h, x + 1)) == 0);
    CHECK(lane_of(assign(y, f + g)) == 0);
    CHECK(lane_of(assign(h, x + b)) == 1);
    CHECK(lane_of(assign(y, transpose(nowhere(2, {200, 300})) + 1)) == 1);
}

TEST_CASE("an axis of one element has no say") {
    auto const y = nowhere(1, {300, 1, 7}), x = nowhere(2, {300, 1, 7});
    CHECK(lane_of(assign(transpose(y), transpose(x) * 2 + felt::permute<2, 1, 0>(y))) == 0);
}

TEST_CASE("a reduction reads along the contiguous axis, reduced or not") {
    auto const r = nowhere(1, {200}), s = nowhere(1, {300});
    auto const x = nowhere(2, {300, 200});
    auto const f = nowhere<float, ColMajor>(2, {300, 200});
    auto lane = [](auto const& statement) {
        auto const p = make_plan(statement);
        return p.s[p.g[named(p, "sum")].inner].lane;
    };
    CHECK(lane(assign(r, felt::sum<0>(x))) == 1);
    CHECK(lane(assign(s, felt::sum<1>(x))) == 1);
    CHECK(lane(assign(r, felt::sum<0>(f))) == 0);
    CHECK(lane(assign(s, felt::sum<1>(f))) == 0);
}

TEST_CASE("lanes do not run along the batches of a product that nothing else is read beside") {
    auto const y = nowhere(1, {5, 8, 3});
    auto const z = nowhere(1, {5, 4096, 8, 3});
    auto const product = matmul(nowhere(2, {5, 4096, 8, 3}), nowhere(3, {5, 4096, 3, 3}));
    auto lane = [](auto const& statement, char const* node) {
        auto const p = make_plan(statement);
        return p.s[p.g[named(p, node)].inner].lane;
    };
    CHECK(lane(assign(y, felt::max<1>(product)), "max") == 3);
    CHECK(lane(assign(z, felt::softmax<1>(product)), "max") == 3);
    CHECK(lane(assign(z, felt::softmax<1>(product)), "sum") == 3);
    CHECK(lane(assign(z, felt::softmax<1>(nowhere(2, {5, 4096, 8, 3}))), "sum") == 3);
    auto const m = nowhere(1, {4096});
    auto const thin = matmul(nowhere(2, {4096, 8}), nowhere(3, {8, 3}));
    CHECK(lane(assign(m, felt::max<1>(thin)), "max") == 0);  // rows fill the lanes
}

TEST_CASE("columns of a product are the side that the destination's lanes run along") {
    auto const a = nowhere(1, {30, 40}), b = nowhere(2, {40, 50});
    auto const y = nowhere(3, {30, 50});
    auto const f = nowhere<float, ColMajor>(3, {30, 50});
    auto const to_rows = assign(y, matmul(a, b));
    auto const fa = nowhere<float, ColMajor>(1, {30, 40});
    auto const fb = nowhere<float, ColMajor>(2, {40, 50});
    auto const to_columns = assign(f, matmul(fa, fb));
    auto const rows = make_plan(to_rows), columns = make_plan(to_columns);
    CHECK(product_of(rows, 0).rows_from == 0);
    auto const& axes = product_of(rows, 0).axes;
    CHECK(axes.m.count == 1);
    CHECK(axes.n.count == 1);
    CHECK(axes.k.count == 1);
    CHECK(axes.m[0] == 0);
    CHECK(axes.n[0] == 1);
    CHECK(axes.k[0] == 2);
    CHECK(product_of(columns, 0).rows_from == 1);
    CHECK(product_of(columns, 0).axes.n.last() == 0);
    CHECK(product_of(columns, 0).axes.m[0] == 1);
}

TEST_CASE("the result is transposed where that saves packing larger operands") {
    auto const fa = nowhere<float, ColMajor>(1, {200, 300});
    auto const fb = nowhere<float, ColMajor>(2, {300, 50});
    auto const a = nowhere(1, {200, 300}), b = nowhere(2, {300, 50});
    auto const y = nowhere(3, {200, 50}), z = nowhere(4, {5, 50});
    auto lane = [](auto const& statement) { return make_plan(statement).s.spaces[0].lane; };
    CHECK(lane(assign(y, matmul(a, b))) == 1);
    CHECK(lane(assign(y, matmul(fa, fb))) == 0);
    CHECK(lane(assign(y, matmul(fa, b))) == 0);  // 60,000 elements against 10,000 + 15,000
    CHECK(lane(assign(y, matmul(a, fb))) == 1);
    auto const few = nowhere<float, ColMajor>(5, {5, 300});
    CHECK(lane(assign(z, matmul(few, fb))) == 1);  // five rows do not fill the lanes
}

TEST_CASE("an operand lies along its own axis or, transposed, along the shared one") {
    auto const y = nowhere(3, {30, 50});
    auto lanes = [&](auto const& a, auto const& b) {
        auto const p = make_plan(assign(y, matmul(a, b)));
        auto const inner = p.g.nodes[0].inner;
        return std::pair<int, int>{p.s[inner].lane, p.s[inner + 1].lane};
    };
    auto const a = nowhere(1, {30, 40}), b = nowhere(2, {40, 50});
    auto const fa = nowhere<float, ColMajor>(1, {30, 40});
    auto const fb = nowhere<float, ColMajor>(2, {40, 50});
    CHECK(lanes(a, b) == std::pair{2, 1});
    CHECK(lanes(fa, b) == std::pair{0, 1});
    CHECK(lanes(a, fb) == std::pair{2, 2});
    CHECK(lanes(fa, fb) == std::pair{0, 2});
}

TEST_CASE("labels of both operands are batches, a product with a vector has one column") {
    auto const p = nowhere(1, {7, 30, 40}), q = nowhere(2, {7, 40, 50});
    auto const many = assign(nowhere(3, {7, 30, 50}), matmul(p, q));
    auto const batched = make_plan(many);
    auto const& r = product_of(batched, 0).axes;
    CHECK(r.batch.count == 1);
    CHECK(r.batch[0] == 0);
    CHECK(r.m[0] == 1);
    CHECK(r.n.last() == 2);
    auto const a = nowhere(1, {30, 40});
    auto const v = nowhere(2, {40});
    auto const by_vector = assign(nowhere(3, {30}), felt::einsum<"ij,j->i">(a, v));
    auto const vector = make_plan(by_vector);
    CHECK(product_of(vector, 0).axes.n.count == 1);
    CHECK(product_of(vector, 0).axes.n.last() == 0);
    CHECK(product_of(vector, 0).axes.m.count == 0);
}

TEST_CASE("operands are read in place unless rows 4 KiB apart push each other out of cache") {
    // Which operands of c = a b are not packed.
    auto const in_place = [](index_t m, index_t n, index_t k, bool flipped) {
        auto const c = nowhere(1, {m, n}), a = nowhere(2, {m, k}), b = nowhere(3, {k, n});
        auto const at = nowhere<float, ColMajor>(2, {m, k});
        auto const p =
            flipped ? make_plan(assign(c, matmul(at, b))) : make_plan(assign(c, matmul(a, b)));
        auto const& product = product_of(p, 0);
        return std::pair{product.left_in_place, product.right_in_place};
    };
    using both = std::pair<bool, bool>;
    CHECK(in_place(500, 500, 500, false) == both{true, true});
    CHECK(in_place(500, 500, 1024, false) == both{false, true});  // rows of a
    CHECK(in_place(500, 32, 1024, false) == both{true, true});    // are read once
    CHECK(in_place(500, 1024, 500, false) == both{true, false});  // rows of b
    CHECK(in_place(256, 1024, 500, false) == both{true, true});   // by few rows of a
    CHECK_FALSE(in_place(500, 500, 500, true).first);             // lanes elsewhere
}

TEST_CASE("what is packed lies as the lanes want it, and they are chosen to be full") {
    auto const w = test::nowhere(1, {1024, 512});
    auto const p = felt::packed(w);
    for (auto const& [columns, lane, along] : {std::tuple{8, 0, 0}, {32, 1, 1}, {128, 1, 1}}) {
        auto const x = test::nowhere(2, {512, columns}), y = test::nowhere(3, {1024, columns});
        auto const s = assign(y, tanh(matmul(p, x)));
        auto const plan = felt::explain(s);
        CHECK(plan.s.spaces[0].lane == lane);
        auto const& product = product_of(plan, named(plan, "matmul"));
        CHECK(plan.s.nodes[2].along == along);
        CHECK((product.rows_from == 1 ? product.right_in_place : product.left_in_place));
    }
    auto const left = test::nowhere(2, {64, 1024}), z = test::nowhere(3, {64, 512});
    auto const s = assign(z, matmul(left, p));
    CHECK(felt::explain(s).s.nodes[2].along == 1);
    auto const narrow = test::nowhere(2, {64, 512}), v = test::nowhere(3, {64, 1024});
    auto const t = assign(v, matmul(narrow, transpose(p)));
    CHECK(felt::explain(t).s.nodes[3].along == 0);
}

TEST_CASE("what is kept for several readers is read by a product as it lies") {
    auto const y = nowhere(1, {200, 64}), q = nowhere(2, {200, 64});
    auto const k = nowhere(3, {300, 64}), v = nowhere(4, {300, 64});
    auto const p =
        make_plan(assign(y, matmul(felt::softmax<1>(matmul(q, transpose(k)) * 0.125f), v)));
    auto const root = p.g.statements[0].root;
    CHECK(p.s[p.g[root].product].computes_left);  // along the terms, as its sum reads them
}

TEST_CASE("what is gathered is read along an axis that is not indexed, whatever its reader wants") {
    auto const x = nowhere(1, {300, 200}), w = nowhere(2, {200, 100}), y = nowhere(3, {300, 100});
    auto const which = felt::iota(300);
    auto const rows = make_plan(assign(y, matmul(felt::gather<0>(x, which), w)));
    auto const square =
        make_plan(assign(nowhere(4, {300, 300}),
                         matmul(felt::gather<0>(x, which), transpose(felt::gather<0>(x, which)))));
    for (auto const* p : {&rows, &square}) {
        for (auto id : p->g.nodes.ids()) CHECK_FALSE(runs_by_element(p->g, p->s, id));
    }
}
