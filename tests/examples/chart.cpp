// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <support/chart.hpp>
#include <doctest/doctest.h>

namespace {

using numbers = std::vector<double>;

std::size_t count(std::string const& text, std::string const& part) {
    std::size_t n = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
    return n;
}

// Every element is closed: <a/> or <a>..</a>.
bool is_balanced(std::string const& svg) {
    std::vector<std::string> open;
    for (auto at = svg.find('<'); at != svg.npos; at = svg.find('<', at + 1)) {
        auto const end = svg.find('>', at);
        if (end == svg.npos || svg.substr(at + 1, end - at - 1).find('<') != svg.npos) return false;
        std::string const name = svg.substr(at + 1, svg.find_first_of(" >", at) - at - 1);
        if (name[0] == '/') {
            if (open.empty() || open.back() != name.substr(1)) return false;
            open.pop_back();
        } else if (svg[end - 1] != '/') {
            open.push_back(name);
        }
    }
    return open.empty();
}

}  // namespace

TEST_CASE("ticks are round numbers") {
    CHECK(support::linear_ticks(0, 10, 8) == numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    CHECK(support::linear_ticks(-1, 1, 4) == numbers{-1, -0.5, 0, 0.5, 1});
    CHECK(support::linear_ticks(3, 397, 8) == numbers{50, 100, 150, 200, 250, 300, 350});
    CHECK(support::log_ticks(0.9, 110) == numbers{1, 2, 5, 10, 20, 50, 100});
    CHECK(support::log_ticks(0.001, 1000).size() == 7);
    for (double low : {-3.7, 0.0, 1e-7, 5e5}) {
        for (double span : {1e-9, 0.3, 7.0, 1e4}) {
            auto const ticks = support::linear_ticks(low, low + span, 8);
            CHECK(ticks.size() >= 3);
            CHECK(ticks.size() <= 14);
        }
    }
}

TEST_CASE("an axis puts its ends where they belong") {
    support::axis const linear{10, 20, 100, 300};
    CHECK(linear.place(10) == 100);
    CHECK(linear.place(15) == 200);
    support::axis const log{1, 100, 300, 100, true};
    CHECK(log.place(10) == doctest::Approx(200));
    CHECK_FALSE(log.shows(0));
    CHECK(linear.shows(0));
    CHECK_FALSE(linear.shows(std::nan("")));
}

TEST_CASE("text is escaped") {
    CHECK(support::svg::escaped("a<b & \"c\">\n") == "a&lt;b &amp; &quot;c&quot;&gt; ");
}

TEST_CASE("a line chart says everything that a reader needs") {
    support::line_chart chart{"Cost <of all>", "iteration", "cost in bits"};
    chart.series = {{"fused & fast", {0, 1, 2}, {8, 4, 2}}, {"unfused", {0, 1, 2}, {9, 5, 3}}};
    std::string const svg = support::to_svg(chart);
    CHECK(is_balanced(svg));
    for (char const* part : {"Cost &lt;of all&gt;", ">iteration<", ">cost in bits<",
                             ">fused &amp; fast<", ">unfused<", ">2<", ">8<"}) {
        CHECK_MESSAGE(test::has(svg, part), part);
    }
    CHECK(count(svg, "<path") == 2);
    chart.series.pop_back();
    CHECK_FALSE(test::has(support::to_svg(chart), "fused &amp; fast"));  // one line: no legend
}

TEST_CASE("the points of a line are where the axes say") {
    support::axis const x{0, 10, 100, 200}, y{0, 10, 200, 100};
    CHECK(support::detail::line_path({"", {0, 10}, {0, 5}}, x, y) ==
          "M100.00 200.00h0.01L200.00 150.00");
    double const gap = std::nan("");
    CHECK(support::detail::line_path({"", {0, 5, 10}, {0, gap, 10}}, x, y) ==
          "M100.00 200.00h0.01M200.00 100.00h0.01");
}

TEST_CASE("charts of nothing, of one point and of values without end are drawn") {
    for (bool log : {false, true}) {
        for (numbers const& y :
             {numbers{}, numbers{0}, numbers{5, 5}, numbers{1e300, HUGE_VAL}, numbers{-1, -2}}) {
            support::line_chart chart{"t", "x", "y"};
            chart.series = {{"s", numbers(y.size(), 1), y}};
            chart.log_y = log;
            std::string const svg = support::to_svg(chart);
            CHECK(is_balanced(svg));
            CHECK_FALSE(test::has(svg, "nan"));
            CHECK_FALSE(test::has(svg, "inf"));
        }
    }
    CHECK(is_balanced(support::to_svg(support::bar_chart{"t", "y", {}})));
    CHECK(is_balanced(support::to_svg(support::pie_chart{"t", "s"})));
}

TEST_CASE("bars stand on zero, one colour per group") {
    support::bar_chart const chart{"t", "ms", {"a", "b"}, {{"g", {1, -2}}, {"h", {3, 4}}}};
    std::string const svg = support::to_svg(chart);
    CHECK(is_balanced(svg));
    CHECK(count(svg, support::svg::colour(0)) == 3);  // two bars and the legend
    CHECK(count(svg, support::svg::colour(1)) == 3);
    CHECK(test::has(svg, ">a<"));
}

TEST_CASE("a pie tells shares and values, also of a single slice") {
    support::pie_chart chart{"t", "ms", {{"most", 3}, {"rest", 1}, {"none", 0}}};
    std::string const svg = support::to_svg(chart);
    CHECK(is_balanced(svg));
    CHECK(test::has(svg, ">75.0 %<"));
    CHECK(test::has(svg, ">25.0 %<"));
    CHECK(test::has(svg, ">3 ms<"));
    CHECK(count(svg, "<path") == 2);
    CHECK(test::has(support::detail::pie_path({0, 0}, 1, 0, 0.25), "L0.00 -1.00A"));
    CHECK(test::has(support::detail::pie_path({0, 0}, 1, 0, 0.25), "0 0 1 1.00 "));
    chart.slices = {{"all", 2}};
    CHECK(test::has(support::to_svg(chart), ">100.0 %<"));
    CHECK(count(support::to_svg(chart), "A170.00") == 2);
}
