// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <felt/plan/plan_json.hpp>

using felt::planning::plan;
using test::nowhere;

namespace {

bool holds(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

// Whether brackets, braces and quotes of a JSON text are closed in their order.
bool is_balanced(std::string const& text) {
    std::string open;
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (inside && c == '\\') ++i;
        else if (c == '"') inside = !inside;
        else if (inside) continue;
        else if (c == '{' || c == '[') open += c;
        else if (c == '}' || c == ']') {
            if (open.empty() || open.back() != (c == '}' ? '{' : '[')) return false;
            open.pop_back();
        }
    }
    return open.empty() && !inside;
}

}  // namespace

TEST_CASE("text between quotes is escaped") {
    using felt::planning::detail::json_string;
    CHECK(json_string("a \"b\" \\ c\n") == "\"a \\\"b\\\" \\\\ c \"");
}

TEST_CASE("a plan as JSON has the tree, what nodes hold, and the totals") {
    auto const x = nowhere(1, {300, 400}), w = nowhere(2, {400, 500}), y = nowhere(3, {300, 500});
    plan const p = felt::explain(assign(y, relu(matmul(x, w))));
    std::string const text = p.json();
    CHECK(is_balanced(text));
    CHECK(holds(text, R"({"statements": [{"type": "float", "shape": [300, 500], "bytes": 600000)"));
    CHECK(holds(text, R"("root": {"name": "relu", "type": "float", "shape": [300, 500])"));
    CHECK(holds(text, R"({"name": "leaf", "type": "float", "shape": [400, 500], )"
                      R"("placed": "streamed", "bytes": 800000, "notes": [], "operands": []})"));
    CHECK(holds(text, "\"intermediates\": [], \"flops\": " + std::to_string(p.flops()) +
                          ", \"bytes\": " + std::to_string(p.bytes()) +
                          ", \"bytes_unfused\": " + std::to_string(p.bytes_unfused()) + "}"));
    CHECK_FALSE(holds(text, "seconds"));
}

TEST_CASE("an intermediate, a value that is computed first and a shared one are said to be so") {
    auto const x = nowhere(1, {300, 300});
    std::string const aside = felt::explain(assign(x, x + transpose(x))).json();
    CHECK(is_balanced(aside));
    CHECK(holds(aside, R"("intermediates": [{"name": "the result", "bytes": 360000, "why": ")"));
    auto const a = nowhere(2, {1000, 1000}), y = nowhere(4, {1000, 1000});
    auto const which = nowhere<int>(5, {1000});
    auto const s = assign(y, felt::gather<0>(matmul(a, a), which));
    std::string const first = felt::explain(s).json();
    CHECK(holds(first, R"("placed": "hoisted", "bytes": 4000000)"));
    CHECK(holds(first, R"("notes": ["hoisted: computed first, as a whole: )"));
    std::string const shared = felt::explain(assign(y, matmul(a, a) * exp(matmul(a, a)))).json();
    CHECK(holds(shared, R"("notes": ["common sub-expression, computed above"], )"
                        R"("operands": []})"));
}

TEST_CASE("with the seconds of a profile, each node has its own") {
    auto const x = nowhere(1, {300, 400});
    auto const r = nowhere(3, {300});
    plan const p = felt::explain(assign(r, felt::sum<1>(x) * 2));
    felt::planning::stage_seconds took;
    took.of_node.fill(p.g.nodes.size(), 0.);
    took.of_node[1] = 0.25;
    took.all = 0.5;
    std::string const text = felt::planning::detail::json_writer(p, &took).text();
    CHECK(is_balanced(text));
    CHECK(holds(text, R"("seconds": 0.25, "operands": [{"name": "leaf")"));
    CHECK(holds(text, R"(, "seconds": 0.5})"));
}
