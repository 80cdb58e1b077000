// SPDX-License-Identifier: BSD-3-Clause
//
// Loops that walk through memory as one become one.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::make_plan;
using test::named;
using test::nowhere;

namespace {

// Extents of the loops of a statement, as it is carried out.
template <class S>
std::string loops_of(S const& s) {
    auto const p = make_plan(s);
    auto const& in = p.g[p.g.statements[0].space];
    return felt::to_string(in.extent, static_cast<std::size_t>(in.rank));
}

}  // namespace

TEST_CASE("tensors of one layout are one long row") {
    auto const x = nowhere(1, {3, 4, 5}), y = nowhere(2, {3, 4, 5});
    CHECK(loops_of(assign(y, x * 2)) == "(60)");
    auto const f = nowhere<float, felt::ColMajor>(1, {3, 4, 5});
    auto const g = nowhere<float, felt::ColMajor>(2, {3, 4, 5});
    CHECK(loops_of(assign(g, f * 2)) == "(60)");
    CHECK(loops_of(assign(y, x + felt::uniform<float>({3, 4, 5}, 1))) == "(60)");
    CHECK(loops_of(assign(transpose(y), transpose(x) + 1)) == "(60)");
}

TEST_CASE("loops stay apart where somebody jumps or stretches") {
    auto const x = nowhere(1, {3, 4, 5}), y = nowhere(2, {3, 4, 5});
    auto const row = nowhere(3, {5});
    auto const plane = nowhere(3, {4, 5});
    auto const column = nowhere(3, {3, 1, 1});
    CHECK(loops_of(assign(y, x + row)) == "(12, 5)");
    CHECK(loops_of(assign(y, x + plane)) == "(3, 20)");
    CHECK(loops_of(assign(y, x + column)) == "(3, 20)");
    CHECK(loops_of(assign(
              y, slice(nowhere(4, {3, 4, 9}), felt::all(), felt::all(), felt::range(0, 5)) + 1)) ==
          "(12, 5)");
    CHECK(loops_of(assign(y, felt::flip<0>(x) + 1)) == "(3, 20)");
    CHECK(loops_of(assign(nowhere(5, {5, 4, 3}), transpose(x) + 1)) != "(60)");
}

TEST_CASE("an axis of one element is no obstacle") {
    auto const x = nowhere(1, {3, 1, 5}), y = nowhere(2, {3, 1, 5});
    CHECK(loops_of(assign(y, felt::permute<1, 0, 2>(felt::permute<1, 0, 2>(x)) + 1)) == "(15)");
}

TEST_CASE("axes reduced together are one, kept ones stay") {
    auto const x = nowhere(1, {3, 4, 5, 6});
    auto inner = [](auto const& s) {
        auto const p = make_plan(s);
        auto const& f = p.g[named(p, "sum")];
        auto const& in = p.g[f.inner];
        return felt::to_string(in.extent, static_cast<std::size_t>(in.rank)) + " by " +
               std::to_string(f.mask);
    };
    CHECK(inner(assign(nowhere(2, {3, 4}), felt::sum<2, 3>(x))) == "(3, 4, 30) by 4");
    CHECK(inner(assign(nowhere(2, {5, 6}), felt::sum<0, 1>(x))) == "(12, 5, 6) by 1");
    CHECK(inner(assign(nowhere(2, {3, 6}), felt::sum<1, 2>(x))) == "(3, 20, 6) by 2");
    CHECK(inner(assign(nowhere(2, {4, 6}), felt::sum<0, 2>(x))) == "(3, 4, 5, 6) by 5");
    CHECK(inner(assign(nowhere(2, {1}), felt::sum(x))) == "(360) by 1");
}
