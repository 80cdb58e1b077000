// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <sstream>

using test::nowhere;

namespace {

std::string text_of(felt::planning::plan const& p) {
    std::ostringstream out;
    out << p;
    return out.str();
}

}  // namespace

TEST_CASE("explain shows the destination, the tree, the pass and the sums") {
    auto const w = nowhere(1, {300, 50}), x = nowhere(2, {50, 200}), y = nowhere(3, {300, 200});
    auto const s = assign(y, sigmoid(matmul(w, x) + 1));
    std::string const text = text_of(explain(s));
    INFO(text);
    char const* const lines[] = {"(300, 200) float",        "sigmoid (300, 200)",
                                 "`- + (300, 200)",         "|- matmul (300, 200)",
                                 "kept in the destination", "one pass over (300, 200)",
                                 "intermediates: none",     "operations: 6.1 Mflop"};
    for (char const* line : lines) {
        CAPTURE(line);
        CHECK(text.find(line) != std::string::npos);
    }
    CHECK(text.find("sigmoid") < text.find("matmul"));
    CHECK(text.find("computed first") == std::string::npos);
}

TEST_CASE("explain prints the plan that make_plan makes, to the letter") {
    auto const x = nowhere(1, {700, 900}), y = nowhere(2, {700, 900});
    auto const r = nowhere(3, {700});
    auto const s = assign(y, felt::softmax<1>(x));
    auto const t = assign(r, felt::sum<1>(y));
    CHECK(text_of(explain(s)) == text_of(felt::planning::make_plan(s)));
    CHECK(text_of(explain(s, t)) == text_of(felt::planning::make_plan(s, t)));
    CHECK(text_of(explain(s)) != text_of(explain(t)));
}

TEST_CASE("explain says what is kept aside and why") {
    auto const x = nowhere(1, {400, 400});
    auto const s = assign(x, x + transpose(x));
    std::string const text = text_of(explain(s));
    CAPTURE(text);
    CHECK(text.find("kept aside") != std::string::npos);
    CHECK(text.find("reads what it writes") != std::string::npos);
    CHECK(text.find("intermediate: the result, 625 KiB") != std::string::npos);
    CHECK(text.find("transposed on the way in") != std::string::npos);
}

TEST_CASE("explain marks what runs element by element") {
    auto const x = nowhere(1, {400, 30});
    auto const y = nowhere(2, {400, 90});
    auto const columns = nowhere<int>(3, {90});
    CHECK(text_of(explain(assign(y, felt::gather<1>(x, columns)))).find("element by element") !=
          std::string::npos);
    CHECK(text_of(explain(assign(nowhere(4, {400, 30}), exp(x)))).find("element by element") ==
          std::string::npos);
}

TEST_CASE("explain names what is computed first, and why") {
    auto const x = nowhere(1, {400, 400}), y = nowhere(2, {400, 400});
    auto const v = nowhere(3, {300});
    // The sum is the same for every block.
    std::string const text = text_of(explain(assign(y, x * felt::sum(exp(v)) + transpose(x))));
    CAPTURE(text);
    CHECK(text.find("sum ()") != std::string::npos);
    CHECK(text.find("intermediates: none") != std::string::npos);
}

TEST_CASE("explain of strips does not say that a value is computed more than once") {
    auto const x = nowhere(1, {700, 900}), y = nowhere(2, {700, 900});
    auto const r = nowhere(3, {700});
    auto const s = assign(y, felt::softmax<1>(x));
    auto const t = assign(r, felt::sum<1>(x));
    auto const p = explain(s, t);
    REQUIRE(p.passes().size() == 1);
    REQUIRE(!p.passes()[0].alone());
    std::string const text = text_of(p);
    CAPTURE(text);
    CHECK(text.find("in scratch") != std::string::npos);
    for (std::string::size_type at = 0; (at = text.find("computed ", at)) != std::string::npos;) {
        at += 9;
        CHECK(text.compare(at, 5, "above") == 0);
    }
}

TEST_CASE("bytes are counted without a plan in words, and nothing runs") {
    auto const x = nowhere(1, {700, 900}), y = nowhere(2, {700, 900});
    auto const s = assign(y, exp(x) + felt::sum<1>(x, felt::keepdims));
    double fused = 1, unfused = 2;
    run(felt::count_bytes{&fused, &unfused}, s);
    CHECK(fused == 1 + static_cast<double>(explain(s).bytes()));
    CHECK(unfused == 2 + static_cast<double>(explain(s).bytes_unfused()));
    CHECK(unfused > fused);
}
