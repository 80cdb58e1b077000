// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/grad.hpp>
#include <sstream>
#include <string>

using namespace felt;

namespace {
struct layer {
    Tensor<double, 2> w{{3, 4}}, x{{4, 5}}, h, dw{{3, 4}};
    Tensor<double, 1> b{{3}}, db{{3}};

    auto step() {
        auto const v = keep<"h">(h, tanh(matmul(named<"w">(w), x) + expand_dims<1>(named<"b">(b))));
        return gradient(program(v), sum(square(v)), wrt<"w", "b">());
    }
};
}  // namespace

TEST_CASE("a program says what it has in memory, and what each pass takes") {
    layer of;
    auto const step = of.step();
    auto const plan = explain(step);
    std::ostringstream out;
    out << plan;
    std::string const text = out.str();
    CAPTURE(text);
    CHECK(text.find("kept \"h\" (3, 5), 120 B") != std::string::npos);
    CHECK(text.find("derivative by \"h\" (3, 5), 120 B") != std::string::npos);
    CHECK(text.find("no product of the forward pass again") != std::string::npos);
    // The cost's square(h) and that of the slope of tanh, 1 - h^2, are computed once for both.
    index_t const shared = 3 * 5;
    CHECK(plan.forward().flops + plan.backward().flops == plan.total().flops + shared);
    // h is written forward and read backward.
    CHECK(plan.forward().bytes + plan.backward().bytes > plan.total().bytes);
}

TEST_CASE("a plan is that of the statements which run") {
    layer of;
    auto step = of.step();
    auto const plan = explain(step);
    step.with_statements(
        [&](auto const&... s) { CHECK(explain(s...).bytes() == plan.total().bytes); }, of.dw,
        of.db);
    REQUIRE(step.values().size() == 2);
    CHECK(step.values()[0].role == program_value::kept);
    CHECK(step.values()[0].data == of.h.data());
    CHECK(step.values()[1].bytes == 120);
}
