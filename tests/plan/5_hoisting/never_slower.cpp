// SPDX-License-Identifier: BSD-3-Clause
//
// Which of the two schedules is taken: fused, or what has loops of its own first.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <string_view>

using felt::keepdims;
using felt::planning::plan;
using felt::planning::way;
using test::nowhere;

namespace {

bool guarded(plan const& p) {
    for (auto const& f : p.s.nodes) {
        if (std::string_view(f.why).find("expected to be slower") != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

}  // namespace

TEST_CASE("what fuses well is fused") {
    auto const w = nowhere(1, {256, 64}), x = nowhere(2, {64, 20000}), b = nowhere(3, {256, 1});
    auto const y = nowhere(4, {256, 20000}), v = nowhere(5, {64, 256}), z = nowhere(6, {64, 20000});
    CHECK_FALSE(guarded(felt::explain(assign(y, sigmoid(matmul(w, x) + b)))));
    CHECK_FALSE(guarded(felt::explain(assign(z, matmul(v, sigmoid(matmul(w, x) + b))))));
    auto const rows = nowhere(7, {4096, 1024}), out = nowhere(8, {4096, 1024});
    CHECK_FALSE(guarded(felt::explain(assign(out, felt::softmax<1>(rows)))));
}

TEST_CASE("a product is computed first where boxes of it would cost more than to keep it") {
    auto const x = nowhere(1, {32, 64, 66, 66}), w = nowhere(2, {6, 64, 3, 3});
    auto const y = nowhere(3, {32, 6, 31, 31}), z = nowhere(4, {32, 6, 32, 32});
    felt::pool_options const overlapping{.window = {3, 3}, .stride = {2, 2}};
    CHECK(guarded(felt::explain(assign(y, max_pool2d(conv2d(x, w) + 1, overlapping)))));
    CHECK_FALSE(guarded(felt::explain(assign(z, avg_pool2d(sigmoid(conv2d(x, w) + 1))))));
}
