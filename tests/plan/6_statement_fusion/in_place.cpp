// SPDX-License-Identifier: BSD-3-Clause
//
// Statements that read what they write.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::keepdims;
using test::nowhere;

namespace {
template <class S>
bool is_kept_aside(S const& s) {
    return felt::explain(s).s.statements[0].temporary;
}
}  // namespace

TEST_CASE("what every block reads of itself alone is written in place") {
    auto const x = nowhere(1, {300, 400});
    CHECK_FALSE(is_kept_aside(assign(x, felt::softmax<1>(x))));
    CHECK_FALSE(is_kept_aside(assign(x, x - felt::mean<1>(x, keepdims))));
    auto const large = nowhere(2, {30000, 4000});  // the means are computed first
    CHECK_FALSE(is_kept_aside(assign(large, large - felt::mean<0>(large))));
}

TEST_CASE("what other blocks read is kept aside") {
    auto const x = nowhere(1, {300, 300});
    CHECK(is_kept_aside(assign(x, x + transpose(x))));
    CHECK(is_kept_aside(assign(x, matmul(x, x))));
}
