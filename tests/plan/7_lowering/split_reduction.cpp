// SPDX-License-Identifier: BSD-3-Clause
//
// Which sums are computed in parts, and how long a part is.
#include "tests/plan/asked.hpp"
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <sstream>

using felt::index_t;
using felt::planning::make_plan;
using felt::planning::plan;
using test::named;
using test::nowhere;

namespace {

// How many parts each of the sums has that are computed first.
template <class... S>
std::vector<index_t> parts_of(S const&... s) {
    plan const p = make_plan(s...);
    std::vector<index_t> parts;
    for (auto const& pass : p.passes()) {
        for (felt::planning::node_id id : pass.ahead) {
            index_t const part = p.s[id].part;
            parts.push_back((felt::planning::summed_extent(p.g, p.s, id) + part - 1) / part);
        }
    }
    return parts;
}

using list = std::vector<index_t>;

}  // namespace

TEST_CASE("a sum of many elements to one value is computed in parts") {
    auto const total = nowhere(1, {1});
    auto const x = nowhere(2, {4000000}), y = nowhere(3, {4000000});
    CHECK(parts_of(assign(slice(total, 0), felt::sum(x))) == list{15});
    CHECK(parts_of(assign(slice(total, 0), felt::norm2(x - y))) == list{16});
    auto const some = nowhere(4, {1000000});
    auto const statement = assign(slice(total, 0), felt::sum(some));
    CHECK(parts_of(statement) == list{3});  // of 2^18 operations, of which each element is one
    plan const p = make_plan(statement);
    CHECK(p.s[named(p, "sum")].part == 333824);  // a multiple of 2048
    auto const few = nowhere(5, {500000});
    CHECK(parts_of(assign(slice(total, 0), felt::sum(few))) == list{});
}

TEST_CASE("sums to few values are computed in parts, if there are too few blocks") {
    auto const tall = nowhere(1, {1000000, 8}), square = nowhere(2, {2000, 2000});
    auto const eight = nowhere(3, {8}), row = nowhere(4, {2000}), three = nowhere(5, {3});
    CHECK(parts_of(assign(eight, felt::sum<0>(tall))) == list{16});
    CHECK(parts_of(assign(row, felt::sum<0>(square))) == list{15});
    CHECK(parts_of(assign(row, felt::sum<1>(square))) == list{});
    CHECK(parts_of(assign(three, felt::max<1>(nowhere(6, {3, 2000000})))) == list{16});
}

TEST_CASE("the terms of a product are cut, if there are few rows and columns") {
    auto const a = nowhere(1, {100000, 8}), c = nowhere(2, {8, 8});
    auto const large = nowhere(3, {100000, 500}), square = nowhere(4, {500, 500});
    auto const some = nowhere(5, {100000, 200}), less = nowhere(6, {200, 200});
    CHECK(parts_of(assign(c, matmul(transpose(a), a))) == list{14});  // of 7 * 1024 terms
    CHECK_FALSE(test::product_of(make_plan(assign(c, matmul(transpose(a), a))), 0).direct);
    CHECK(parts_of(assign(less, matmul(transpose(some), some))) == list{14});
    // An intermediate of 1 MiB is not worth it: rows are shared out.
    CHECK(parts_of(assign(square, matmul(transpose(large), large))) == list{});
}

TEST_CASE("what many blocks want is computed first; then nothing is computed in common") {
    auto const x = nowhere(1, {1000, 2000}), y = nowhere(2, {1000, 2000});
    auto const centred = assign(y, x - felt::mean(x));
    CHECK(parts_of(centred) == list{7});
    plan const p = make_plan(centred);
    CHECK(p.passes()[0].shared_out.count > 10);
}

TEST_CASE("a sum that another needs comes before it, and only once") {
    auto const x = nowhere(1, {1000, 4000}), y = nowhere(2, {1000, 4000});
    auto const centred = x - felt::mean(x);
    auto const scaled = assign(y, centred / sqrt(felt::mean(square(centred))));
    plan const p = make_plan(scaled);
    CHECK(p.passes()[0].ahead.size() == 2);
    CHECK(p.g[p.passes()[0].ahead[0]].end - p.passes()[0].ahead[0] == 2);  // the sum of x, a leaf
    CHECK(parts_of(assign(slice(nowhere(3, {1}), 0), felt::mean(square(centred)))) == list{15, 16});
}

TEST_CASE("a sum below a node that asks for boxes, or kept in the destination, is not") {
    auto const x = nowhere(1, {3000, 4, 1000});
    auto const y = nowhere(2, {5});
    CHECK(parts_of(assign(y, pad(felt::sum<0, 2>(x) * 2, {{1, 0}}))) == list{16});
    auto const z = nowhere(3, {2, 2});
    CHECK(parts_of(assign(z, reshape(felt::sum<0, 2>(x) * 2, {2, 2}))) == list{});
    auto const v = nowhere(4, {4000000}), w = nowhere(5, {4000000});
    auto const statement = assign(w, felt::softmax<0>(v));
    plan const p = make_plan(statement);
    for (felt::planning::node_id id : p.g.nodes.ids()) {
        CHECK((p.s[id].part == 0 || std::string(p.g[id].name) == "max"));
    }
}

TEST_CASE("the strips of a group are cut in parts of whole strips") {
    auto const x = nowhere(1, {64, 40000}), h = nowhere(2, {25, 40000}), w = nowhere(3, {25, 64});
    auto const means = nowhere(4, {25});
    auto const hidden = assign(h, sigmoid(matmul(w, x)));
    auto const mean = assign(means, felt::mean<1>(h));
    plan const p = make_plan(hidden, mean);
    CHECK(p.passes()[0].parts() > 8);
    CHECK(p.passes()[0].parts() <= 16);
    CHECK(p.passes()[0].part % p.passes()[0].strip == 0);
    std::ostringstream text;
    text << p;
    CHECK(text.str().find("in " + std::to_string(p.passes()[0].parts()) +
                          " parts combined pairwise") != std::string::npos);
    auto const few = nowhere(5, {25, 400}), from = nowhere(6, {64, 400});
    auto const a = assign(few, sigmoid(matmul(w, from)));
    auto const b = assign(means, felt::mean<1>(few));
    CHECK(make_plan(a, b).passes()[0].parts() == 1);
}

TEST_CASE("what every part of a group would compute again is computed first") {
    auto const x = nowhere(1, {100, 40000}), y = nowhere(2, {100, 40000});
    auto const s = nowhere(3, {100});
    auto const centred = assign(y, exp(x) - felt::mean(x));
    auto const sums = assign(s, felt::sum<1>(y));
    plan const p = make_plan(centred, sums);
    CHECK(p.passes()[0].last.number() == 2);
    CHECK(p.passes()[0].ahead.size() == 1);
    CHECK(p.passes()[0].parts() > 8);
}
