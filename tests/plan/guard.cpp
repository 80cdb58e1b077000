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
    for (auto const& f : p.node) {
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

TEST_CASE("reductions of few elements below others are computed first") {
    auto const x = nowhere(1, {7, 7, 65, 33, 7});
    auto const y = nowhere(2, {33});
    auto const e = felt::max<1>(felt::mean<0, 1>(felt::logsumexp<1>(x)));
    CHECK(guarded(felt::explain(assign(y, e))));
}
