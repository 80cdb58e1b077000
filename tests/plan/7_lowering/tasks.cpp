// SPDX-License-Identifier: BSD-3-Clause
//
// Into which tasks the loops of a statement are cut.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::make_plan;
using felt::planning::tasks;
using test::nowhere;

namespace {

template <class S>
tasks tasks_of(S const& s) {
    return make_plan(s).passes()[0].shared_out;
}

}  // namespace

TEST_CASE("a task has 32768 elements, or fewer that are expensive") {
    auto const x = nowhere(1, {400, 1000}), y = nowhere(2, {400, 1000});
    auto const small = nowhere(3, {60, 1000}), other = nowhere(4, {60, 1000});
    CHECK(tasks_of(assign(small, other + 1)).count == 1);
    CHECK(tasks_of(assign(small, felt::erf(felt::pow(other, 2.5f)))).count > 1);
    tasks const t = tasks_of(assign(y, x + 1));
    CHECK(t.count == 13);  // the loops are one of 400000
    CHECK(t.step == 32768);
}

TEST_CASE("long rows are expensive elements") {
    auto const x = nowhere(1, {1000, 5000});
    auto const y = nowhere(2, {1000});
    CHECK(tasks_of(assign(y, felt::sum<1>(x))).count == 16);  // of 64
    CHECK(tasks_of(assign(y, felt::sum<1>(slice(x, felt::all(), felt::range(0, 100))))).count == 1);
}

TEST_CASE("columns that are reduced are cut into long runs, whatever axis they go along") {
    auto const x = nowhere(1, {3000, 20000});
    auto const y = nowhere(2, {20000});
    for (tasks const& t :
         {tasks_of(assign(y, felt::sum<0>(x))), tasks_of(assign(y, felt::sum<1>(transpose(x))))}) {
        CHECK(t.count == 20);
        CHECK(t.step == 1024);
    }
}

TEST_CASE("tasks cover the loop, each is long enough") {
    auto const k = nowhere(1, {300, 100});
    for (index_t m : {167, 300, 504, 505, 545, 546, 770, 5000}) {
        auto const a = nowhere(2, {m, 300}), c = nowhere(3, {m, 100});
        auto const statement = assign(c, matmul(a, k));
        auto const p = make_plan(statement);
        tasks const t = p.passes()[0].shared_out;
        auto const whole = felt::planning::whole_box(p.g[p.g.statements[0].space].extent, 2);
        index_t next = 0;
        for (long i = 0; i < t.count; ++i) {
            auto const part = t.part(whole, i);
            CHECK(part.lo[0] == next);
            CHECK(part.extent(0) >= 42);
            next = part.hi[0];
        }
        INFO("rows: " << m);
        CHECK(next == m);
        CHECK(t.count == (m + 126) / 168);
    }
}

TEST_CASE("each image of a few is a task of products, for its pixels are rows of them") {
    auto const x = nowhere(1, {8, 28, 28, 128}), w = nowhere(2, {3, 3, 128, 128});
    auto const y = nowhere(3, {8, 14, 14, 128});
    auto const conv = felt::conv2d(felt::permute<0, 3, 1, 2>(x), felt::permute<3, 2, 0, 1>(w),
                                   {.padding = {1, 1}});
    auto const pool = felt::max_pool2d(felt::relu(conv), {.window = {2, 2}, .stride = {2, 2}});
    CHECK(tasks_of(assign(y, felt::permute<0, 2, 3, 1>(pool))).count == 8);
    auto const digits = nowhere(1, {256, 1, 28, 28}), filters = nowhere(2, {8, 1, 9, 9});
    auto const pooled = nowhere(3, {256, 8, 10, 10});
    auto const features = felt::sigmoid(felt::conv2d(digits, filters, {}));
    tasks const t =
        tasks_of(assign(pooled, felt::avg_pool2d(features, {.window = {2, 2}, .stride = {2, 2}})));
    CHECK(t.count >= 16);  // not 168 images and the rest
}

TEST_CASE("threads are not woken for some microseconds") {
    auto const x = nowhere(1, {16, 1000}), y = nowhere(2, {16, 1000});
    CHECK(tasks_of(assign(y, felt::softmax<1>(x))).count == 1);
    auto const wide = nowhere(1, {160, 1000}), z = nowhere(2, {160, 1000});
    CHECK(tasks_of(assign(z, felt::softmax<1>(wide))).count > 1);
}

TEST_CASE("a loop along which something is computed in common is not cut") {
    auto const x = nowhere(1, {300, 400}), y = nowhere(2, {300, 400});
    CHECK(tasks_of(assign(y, exp(x) - felt::sum(x))).count == 1);
    CHECK(tasks_of(assign(y, exp(x) - felt::sum<1>(x, felt::keepdims))).loop == 0);
    CHECK(tasks_of(assign(y, exp(x) - felt::sum<0>(x))).loop == 1);
}

TEST_CASE("columns that are reduced, at any depth, are not cut into narrow strips of memory") {
    auto const x = nowhere(1, {16384, 1000}), y = nowhere(2, {16384, 1000});
    CHECK(tasks_of(assign(y, felt::softmax<0>(x))).step == 512);  // of 64: 3 times as long
    auto const wide = nowhere(3, {2048, 8192}), z = nowhere(4, {2048, 8192});
    CHECK(tasks_of(assign(z, felt::softmax<0>(wide))).step == 1024);
    CHECK(tasks_of(assign(y, x - felt::mean<0>(x, felt::keepdims))).loop == 0);  // of whole rows
}

TEST_CASE("what is only transposed is shared out in long runs of the memory that it reads") {
    auto const x = nowhere(1, {4096, 4096}), y = nowhere(2, {4096, 4096});
    auto const squares = tasks_of(assign(y, transpose(x)));
    CHECK(squares.loop == 1);  // the destination's rows are cut, each task reads all of x's
    CHECK(squares.count >= 8);
    auto const u = nowhere(1, {16, 64, 128, 128}), v = nowhere(2, {16, 128, 128, 64});
    auto const pixels = tasks_of(assign(v, felt::permute<0, 2, 3, 1>(u)));
    CHECK(pixels.loop == 1);
    CHECK(pixels.step >= 1024);
    CHECK(pixels.count >= 8);
}
