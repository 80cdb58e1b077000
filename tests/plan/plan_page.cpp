// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <felt/plan/plan_page.hpp>

using felt::planning::plan;
using test::nowhere;

namespace {

std::size_t count(std::string const& text, std::string const& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

}  // namespace

TEST_CASE("what a page must not have as it is, is escaped") {
    CHECK(felt::planning::detail::escaped("a < b && \"c\" > d") ==
          "a &lt; b &amp;&amp; &quot;c&quot; &gt; d");
}

TEST_CASE("a page has every node once, closes what it opens and fetches nothing") {
    auto const x = nowhere(1, {300, 400}), w = nowhere(2, {400, 500}), y = nowhere(3, {300, 500});
    plan const p = felt::explain(assign(y, felt::where(matmul(x, w) < 0, 0, matmul(x, w))));
    std::string const page = p.html();
    CHECK(page.find("<!doctype html>") == 0);
    for (char const* tag : {"ul", "li", "b", "p", "h2", "small", "span", "html", "style"}) {
        CAPTURE(tag);
        std::string const name = tag;
        CHECK(count(page, "<" + name + ">") + count(page, "<" + name + " ") ==
              count(page, "</" + name + ">"));
    }
    CHECK(count(page, "http") == 0);
    CHECK(count(page, ">matmul</b>") == 2);
    CHECK(count(page, ">&lt;</b>") == 1);
    CHECK(count(page, "<meter") == 0);
    CHECK(count(page, "intermediates: none") == 1);
}

TEST_CASE("what is computed first has a colour of its own, and a key") {
    auto const a = nowhere(2, {1000, 1000}), y = nowhere(4, {1000, 1000});
    auto const which = nowhere<int>(5, {1000});
    auto const s = assign(y, felt::gather<0>(matmul(a, a), which));
    std::string const page = felt::explain(s).html();
    CHECK(count(page, "first: matmul (1000, 1000)") == 1);
    CHECK(count(page, "--pass: #e69f00") >= 2);
}

TEST_CASE("a profile's page has the share of each stage") {
    auto const x = nowhere(1, {300, 400});
    auto const r = nowhere(3, {300});
    plan const p = felt::explain(assign(r, felt::sum<1>(x) * 2));
    felt::planning::stage_seconds took;
    took.of_node.fill(p.g.nodes.size(), 0.);
    took.of_node[1] = 0.25e-3;
    took.all = 1e-3;
    std::string const page = felt::planning::detail::page_writer(p, &took).text();
    CHECK(count(page, "<meter value=\"0.250\"></meter> 25 % 250 us") == 1);
    CHECK(count(page, "measured: 1 ms") == 1);
}
