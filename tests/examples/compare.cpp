// SPDX-License-Identifier: BSD-3-Clause
//
// Fused and unfused next to each other.
#include "scratch.hpp"
#include <support/compare.hpp>
#include <doctest/doctest.h>
#include <sstream>

namespace {

using vector = felt::Tensor<float, 1>;

// The gradient of sum(x^2), which is `wrong` by so much if it is unfused.
struct squares {
    float wrong = 0;

    template <class How>
    double step(How how, vector const& x, vector& g) const {
        run(how, assign(g, 2.f * x));
        if constexpr (std::is_same_v<How, felt::unfused_t>) g += wrong;
        return double(sum(square(x)));
    }
};

support::training_comparison compared(squares const& s, vector const& x, int& forwards) {
    vector y(x.extents());
    return support::compare_training(
        x, [&](auto how, vector& g) { return s.step(how, x, g); },
        [&](auto how) { run(how, assign(y, square(x))), ++forwards; });
}

}  // namespace

TEST_CASE("a step and a pass are timed in both ways if these agree") {
    vector x({1000});
    x = felt::uniform<float>(x.extents(), 1);
    int forwards = 0;
    auto const c = compared({}, x, forwards);
    std::ostringstream out;
    CHECK(c.agree(out));
    CHECK(out.str() == "");
    CHECK(c.difference == 0);
    CHECK(c.steps.fused.seconds.size() >= 3);
    CHECK(c.steps.fused.bytes == 8000);
    CHECK(c.passes.unfused.seconds.size() == c.passes.fused.seconds.size());
    CHECK(forwards > 6);
    support::table t = support::comparison_table("what");
    add_rows(t, c.steps, "step, ");
    t.print(out);
    CHECK(test::has(out.str(), "step, unfused / fused"));
}

TEST_CASE("ways that do not agree are said to, and the pass is not timed") {
    vector x({1000});
    x = felt::uniform<float>(x.extents(), 1);
    int forwards = 0;
    auto const c = compared({.wrong = 0.1f}, x, forwards);
    std::ostringstream out;
    CHECK_FALSE(c.agree(out));
    CHECK(test::has(out.str(), "fused and unfused differ by 0."));
    CHECK(forwards == 1);
    CHECK(c.passes.fused.seconds.empty());
}
