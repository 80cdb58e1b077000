// SPDX-License-Identifier: BSD-3-Clause
//
// What the plan says of how often a value is computed, against the number of times that a functor
// around it was called.
#include "tests/plan/asked.hpp"
#include "tests/support/counted.hpp"
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <sstream>

using felt::index_t;
using felt::keepdims;
using felt::planning::kind;
using felt::planning::plan;
using test::calls_for_each;
using test::counted;
using test::numbered;

namespace {

using matrix = felt::Tensor<float, 2>;

felt::planning::node_id product_of(plan const& p) {
    for (felt::planning::node_id id : p.g.nodes.ids()) {
        if (p.g[id].what == kind::contract) return id;
    }
    throw felt::error("no product");
}

}  // namespace

TEST_CASE("boxes of windows overlap: what they read is computed as often as the plan says") {
    auto const a = numbered<matrix>({3000, 8}), b = numbered<matrix>({8, 300}, 3);
    matrix y({3000, 300});
    auto const x = felt::map(counted{}, matmul(a, b));
    auto const s = assign(y, felt::sum<2, 3>(windows(x, {3, 3}, {.padding = {1, 1}})));
    plan const p = felt::explain(s);
    double const stated = test::times_of(p, product_of(p));
    CHECK(p.fused());
    CHECK(stated > 1);
    CHECK(stated < 1.5);
    CHECK(calls_for_each(s, x.extents().size()) == doctest::Approx(stated).epsilon(0.05));
}

TEST_CASE("a product that readers want in boxes of their own is said to be, each time") {
    auto const a = numbered<matrix>({50, 40}), b = numbered<matrix>({40, 20000}, 3);
    felt::Tensor<float, 1> y({50}), z({50});
    auto const s = assign(y, felt::var<1>(felt::map(counted{}, matmul(a, b)) / 1e3f));
    std::ostringstream text;
    text << felt::explain(s);
    index_t said = 0;
    for (auto at = text.str().find("matmul"); at != std::string::npos;
         at = text.str().find("matmul", at + 1)) {
        auto const line = text.str().substr(at, text.str().find('\n', at) - at);
        said += line.find("common sub-expression, computed above") == std::string::npos;
    }
    CHECK(said > 1);
    CHECK(calls_for_each(s, 50 * 20000) <= static_cast<double>(said) * 1.02);
    run(felt::unfused, assign(z, felt::var<1>(matmul(a, b) / 1e3f)));
    CHECK(all_close(y, z, 1e-4));
}

TEST_CASE("explain stops at a value that an equal one holds") {
    auto const x = numbered<matrix>({64, 100});
    matrix y({64, 100});
    auto const s = assign(y, felt::softmax<1>(x));
    std::ostringstream text;
    text << felt::explain(s);
    CHECK(text.str().find("common sub-expression, computed above") != std::string::npos);
    CHECK(text.str().find("exp (") == text.str().rfind("exp ("));  // its tree is shown once
}
