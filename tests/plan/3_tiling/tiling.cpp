// SPDX-License-Identifier: BSD-3-Clause
//
// What a block needs fits in scratch whatever the extents are, and little is computed twice.
#include "tests/plan/asked.hpp"
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::make_plan;
using felt::planning::node;
using felt::planning::node_id;
using felt::planning::plan;
using felt::planning::scratch_limit;
using felt::planning::space_id;
using felt::planning::staging_limit;
using felt::planning::way;
using test::nowhere;
using test::worst_times;

namespace {

void check_fits(plan const& p) {
    for (auto const& to : p.g.statements) {
        auto const need = footprint_of(p.g, p.s, to.space);
        CHECK(need.bytes <= scratch_limit);
        CHECK(need.staged <= staging_limit);
        for (int l = 0; l < p.g[to.space].rank; ++l) CHECK(p.s[to.space].block[l] >= 1);
    }
}

struct extents3 {
    index_t m, n, k;
};

}  // namespace

TEST_CASE("a product fits in scratch whatever extent grows tenfold") {
    for (auto [m, n, k] : {extents3{1000, 1000, 1000},
                           {10000, 1000, 1000},
                           {1000, 10000, 1000},
                           {1000, 1000, 10000},
                           {1000, 1000, 100000},
                           {25, 400000, 64},
                           {10000, 400000, 10000},
                           {1, 400000, 100000},
                           {400000, 1, 100000}}) {
        CAPTURE(m);
        CAPTURE(n);
        CAPTURE(k);
        auto const a = nowhere(1, {m, k}), b = nowhere(2, {k, n}), y = nowhere(3, {m, n});
        auto const s = assign(y, sigmoid(matmul(a, b) + 1));
        plan const p = make_plan(s);
        check_fits(p);
        CHECK(p.fused());
        CHECK(worst_times(p) == 1);
        auto const t = assign(y, matmul(exp(a), relu(b)) * 2);
        check_fits(make_plan(t));
    }
}

TEST_CASE("a product inside a product fits for every extent, and stays fused where it may") {
    struct layers {
        index_t in, hidden, out, columns;
    };
    for (auto [in, hidden, out, n] : {layers{64, 256, 64, 20000},
                                      {640, 256, 64, 20000},
                                      {64, 2560, 64, 20000},
                                      {64, 10000, 64, 20000},
                                      {64, 256, 640, 20000},
                                      {64, 256, 64, 400000},
                                      {100000, 256, 64, 20000}}) {
        CAPTURE(in);
        CAPTURE(hidden);
        CAPTURE(n);
        auto const v = nowhere(1, {hidden, in}), w = nowhere(2, {out, hidden});
        auto const x = nowhere(3, {in, n}), y = nowhere(4, {out, n});
        auto const right = assign(y, matmul(w, relu(matmul(v, x))) + 1);
        check_fits(make_plan(right));
        auto const xt = nowhere(3, {n, in}), yt = nowhere(4, {n, out});
        auto const left = assign(yt, matmul(relu(matmul(xt, transpose(v))), transpose(w)) + 1);
        check_fits(make_plan(left));
        if (hidden > 256 || in > 64) continue;
        for (plan const& p : {make_plan(right), make_plan(left)}) {
            CHECK(p.fused());
            CHECK(worst_times(p) <= 1.5);
        }
    }
}

TEST_CASE("reductions, softmax and transposed reads fit for long rows and long columns") {
    for (auto [m, n, k] : {extents3{4096, 1024, 1},
                           {40960, 1024, 1},
                           {4096, 10240, 1},
                           {10, 1000000, 1},
                           {1000000, 10, 1}}) {
        CAPTURE(m);
        auto const x = nowhere(1, {m, n}), y = nowhere(2, {m, n});
        auto const across = assign(y, felt::softmax<0>(x));
        auto const along = assign(y, felt::softmax<1>(x));
        auto const centred = assign(y, x - felt::mean<0>(x));
        auto const turned = assign(nowhere(2, {n, m}), transpose(x) + 1);
        for (plan const& p :
             {make_plan(across), make_plan(along), make_plan(centred), make_plan(turned)}) {
            check_fits(p);
        }
    }
}

namespace {

struct counted {
    static inline index_t elements = 0;
    float operator()(float x) const {
        ++elements;
        return x;
    }
};

// How often y = e computes each of the n elements that pass through counted{}, on average.
template <class D, class E>
double times(D& y, E const& e, index_t n) {
    counted::elements = 0;
    y = e;
    return static_cast<double>(counted::elements) / static_cast<double>(n);
}

}  // namespace

TEST_CASE("what a product is made of is computed at most 1.5 times on average") {
    index_t const n = 640;
    felt::Tensor<float, 2> a({n, n}), b({n, n}), y({n, n});
    a = 1.f;
    b = 1.f;
    auto const inner = felt::map(counted{}, matmul(a, b));
    CHECK(times(y, matmul(a, inner), n * n) <= 1.5);
    CHECK(times(y, matmul(inner, a), n * n) <= 1.5);
    CHECK(times(y, matmul(inner, a) + 1, n * n) <= 1.5);
    CHECK(times(y, matmul(a, exp(felt::map(counted{}, b))), n * n) <= 1.5);
}

TEST_CASE("two products in a product are made ready for the same terms, or computed first") {
    for (index_t n : {640, 2000, 10000}) {
        CAPTURE(n);
        auto const a = nowhere(1, {n, n}), b = nowhere(2, {n, n}), y = nowhere(3, {n, n});
        auto const s = assign(y, matmul(relu(matmul(a, b)), relu(matmul(b, a))) + 1);
        plan const p = make_plan(s);
        int again = 0, hoisted = 0;
        for (node_id id : p.g.nodes.ids()) {
            if (p.g[id].what != felt::planning::kind::contract) continue;
            again += test::times_of(p, id) > 1;
            hoisted += p.s[id].by == way::hoisted;
        }
        CHECK(again <= 1);
        CHECK((hoisted > 0) == (n > 640));  // while all rows and columns of some terms fit
        CHECK(worst_times(p) <= 1.5);
        CHECK(p.fused() == (hoisted == 0));
        check_fits(p);
    }
}

TEST_CASE("no node says that it holds more than all of scratch") {
    auto const a = nowhere(1, {2000, 2000}), b = nowhere(2, {2000, 2000});
    auto const y = nowhere(3, {2000, 2000});
    auto const s = assign(y, matmul(a, b));
    auto const t = assign(y, sigmoid(matmul(a, b)));
    for (plan const& p : {make_plan(s), make_plan(t)}) {
        for (node_id id : p.g.nodes.ids()) CHECK(test::scratch_of(p, id) <= scratch_limit);
    }
}

TEST_CASE("rows of a product that is kept are cut for the cache if that does not read more") {
    auto const rows_of = [](index_t m, index_t n, index_t k) {
        auto const a = nowhere(1, {m, k}), b = nowhere(2, {k, n}), y = nowhere(3, {m, n});
        plan const p = make_plan(assign(y, sigmoid(matmul(a, b))));
        return p.s.spaces[0].block[0];
    };
    CHECK(rows_of(2304, 1024, 9216) == 2304);  // b would be packed again for each block
    CHECK(rows_of(8192, 1024, 64) * 1024 * 4 <= scratch_limit);
}
