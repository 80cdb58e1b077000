// SPDX-License-Identifier: BSD-3-Clause
//
// Which statements share a pass, and why the next one does not.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::make_plan;
using felt::planning::plan;
using test::nowhere;

namespace {

// "0-2 3" for a pass of statements 0, 1, 2 and one of statement 3; then why each pass ends.
template <class... S>
std::string passes(S const&... s) {
    plan const p = make_plan(s...);
    std::string text, why;
    for (auto const& pass : p.passes()) {
        text += (text.empty() ? "" : " ") + std::to_string(pass.first.number());
        if (pass.last > pass.first + 1) text += "-" + std::to_string(pass.last.number() - 1);
        if (!pass.why.empty()) why += ": " + pass.why;
    }
    return text + why;
}

constexpr index_t m = 63, n = 5000;

}  // namespace

TEST_CASE("statements over one axis share a pass") {
    auto const x = nowhere(1, {m, n}), h = nowhere(2, {m, n}), g = nowhere(3, {m, n});
    auto const w = nowhere(4, {m, m});
    auto const means = nowhere(5, {m});
    auto const columns = nowhere(6, {n});
    CHECK(passes(assign(h, exp(x))) == "0");
    CHECK(passes(assign(h, exp(x)), assign(g, h * x)) == "0-1");
    CHECK(passes(assign(h, sigmoid(matmul(w, x))), assign(means, felt::mean<1>(h))) == "0-1");
    CHECK(passes(assign(h, sigmoid(matmul(w, x))), assign(columns, felt::sum<0>(h)),
                 assign(g, h * columns)) == "0-2");
    CHECK(passes(assign(h, exp(x)), assign(w, matmul(h, transpose(x)))) == "0-1");
}

TEST_CASE("windows of what was just written share its pass, if they stay in the strip") {
    auto const x = nowhere(1, {64, 8, 22, 22}), w = nowhere(2, {20, 8, 3, 3});
    auto const a = nowhere(3, {64, 20, 20, 20}), h = nowhere(4, {64, 20, 10, 10});
    felt::pool_options const overlapping{.window = {3, 3}, .stride = {2, 2}, .padding = {1, 1}};
    auto const s = assign(a, sigmoid(conv2d(x, w)));
    CHECK(passes(s, assign(h, avg_pool2d(a))) == "0-1");
    CHECK(passes(s, assign(h, max_pool2d(a + 1, overlapping))) == "0-1");
    CHECK(passes(s, assign(h, avg_pool2d(felt::flip<2>(a)))) != "0-1");
    auto const places = nowhere<index_t>(8, {64, 20, 10, 10});
    CHECK(passes(assign(h, max_pool2d(a)), assign(places, argmax_pool2d(a))) == "0-1");
    auto const y = nowhere(5, {n, 8}), z = nowhere(6, {n, 8}), around = nowhere(7, {n, 8});
    felt::window_options const three{.padding = {1, 1}};
    CHECK(passes(assign(y, exp(z)), assign(around, felt::sum<2, 3>(windows(y, {3, 3}, three)))) ==
          "0 1: it reads other strips of what an earlier statement writes");
}

TEST_CASE("a sum is complete only after the last strip") {
    auto const x = nowhere(1, {m, n}), h = nowhere(2, {m, n}), g = nowhere(3, {m, n});
    auto const means = nowhere(5, {m, 1});
    CHECK(passes(assign(h, exp(x)), assign(means, felt::mean<1>(h, felt::keepdims)),
                 assign(g, h - means)) ==
          "0-1 2: it reads a sum that is complete only after the last strip");
}

TEST_CASE("other strips, the same memory, no common axis") {
    auto const x = nowhere(1, {n, n}), h = nowhere(2, {n, n}), g = nowhere(3, {n, n});
    auto const other = nowhere(4, {71, 19}), y = nowhere(5, {71, 19});
    CHECK(passes(assign(h, exp(x)), assign(g, felt::flip<0>(felt::flip<1>(h)))) ==
          "0 1: it reads other strips of what an earlier statement writes");
    CHECK(passes(assign(g, transpose(h) + felt::flip<0>(h)), assign(h, exp(x))) ==
          "0 1: it writes what an earlier statement reads in other strips");
    CHECK(passes(assign(h, exp(x)), assign(h, exp(x) + 1)) ==
          "0 1: it writes what an earlier statement writes");
    CHECK(passes(assign(h, exp(x)), assign(y, other * 2)) == "0 1: it has no axis of extent 5000");
    CHECK(passes(assign(h, exp(x)), assign(g, g + transpose(g))) ==
          "0 1: it reads what it writes, by other indices");
    CHECK(passes(assign(g, g + transpose(g)), assign(h, exp(x))) ==
          "0 1: it follows a statement that reads what it writes, by other indices");
    CHECK(passes(assign(g, g - felt::mean<1>(g, felt::keepdims)), assign(h, exp(x))) ==
          "0 1: it follows a statement that reads what it writes, by other indices");
    auto const total = nowhere(6, {1});
    CHECK(passes(assign(y, other + total), assign(total, felt::sum(y))) ==
          "0 1: it writes what an earlier statement still reads");
    CHECK(passes(assign(total, felt::sum(x)), assign(x, exp(h))) == "0-1");
    felt::View<float, 0> const one(total.data(), {}, {});
    CHECK(passes(assign(one, 2.f * one), assign(h, exp(x))) ==
          "0 1: it follows a statement that has no axis to advance along");
}

TEST_CASE("strips that do not fit in scratch") {
    // Each product in a product holds rows of 1000 for all rows of the narrowest strip that pays.
    auto const x = nowhere(1, {2000, 1000}), w = nowhere(2, {1000, 1000});
    auto const y = nowhere(3, {2000, 1000}), z = nowhere(4, {2000, 1000});
    auto const layer = [&](auto const& h) { return relu(matmul(h, w)); };
    CHECK(passes(assign(y, layer(layer(layer(layer(x))))), assign(z, layer(layer(layer(y))))) ==
          "0 1: its strips do not fit in scratch beside the others'");
}
