// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <felt/plan/words.hpp>

using felt::planning::plan;
using felt::planning::detail::statement_words;
using test::named;
using test::nowhere;

namespace {

std::string all_of(std::vector<std::string> const& lines) {
    std::string text;
    for (std::string const& line : lines) text += line + '\n';
    return text;
}

}  // namespace

TEST_CASE("a node's words say how it is computed, if not as its reader asks for it") {
    auto const x = nowhere(1, {300, 400}), w = nowhere(2, {400, 300}), y = nowhere(3, {300, 300});
    plan const p = felt::explain(assign(y, sigmoid(matmul(x, w)) + matmul(x, w) * transpose(y)));
    statement_words const words(p, 0, p.passes()[0]);
    CHECK(words.of(named(p, "+")).empty());
    auto const product = words.of(named(p, "matmul"));
    REQUIRE(product.size() == 1);
    CHECK((product[0].find("in scratch, ") == 0 || product[0].find("hoisted: ") == 0));
    auto const again = words.of(named(p, "*") + 1);
    CHECK(again == std::vector<std::string>{"common sub-expression, computed above"});
    CHECK(words.of(named(p, "*") + 4) == std::vector<std::string>{"transposed on the way in"});
    CHECK(words.of_loops()[0].find("one pass over (300, 300) by blocks of (") == 0);
}

TEST_CASE("a pass of several statements says what they share, and why the next one is not in it") {
    auto const x = nowhere(1, {300, 400}), y = nowhere(2, {300, 400});
    auto const r = nowhere(3, {300}), z = nowhere(4, {7});
    plan const p = felt::explain(assign(y, exp(x)), assign(r, felt::sum<1>(y)), assign(z, z * 2));
    REQUIRE(p.passes().size() == 2);
    std::string const first = all_of(felt::planning::detail::words_of(p.g, p.passes()[0]));
    CHECK(first.find("these 2 in one pass, strips of ") == 0);
    CHECK(first.find("the next begins another pass: it has no axis of extent") !=
          std::string::npos);
    CHECK(felt::planning::detail::words_of(p.g, p.passes()[1]).empty());
}

TEST_CASE("the totals name each intermediate with the reason for it") {
    auto const x = nowhere(1, {300, 300});
    auto const list = felt::planning::detail::totals_of(felt::explain(assign(x, x + transpose(x))));
    REQUIRE(list.size() == 2);
    CHECK(list[0].find("intermediate: the result, 352 KiB: ") == 0);
    CHECK(list[1].find("operations: 90 kflop, bytes: 1.4 MiB fused") == 0);
    auto const none = felt::planning::detail::totals_of(felt::explain(assign(x, x * 2)));
    CHECK(none[0] == "intermediates: none");
}
