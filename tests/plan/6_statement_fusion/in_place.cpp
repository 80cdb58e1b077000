// SPDX-License-Identifier: BSD-3-Clause
//
// Statements that read what they write.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
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

namespace {

// y = f(y) on two threads is what f(x) is on one.
template <class F>
bool is_same_in_place(index_t rows, index_t columns, F f) {
    felt::Tensor<float, 2> x({rows, columns}), aside({rows, columns});
    x = felt::normal<float>(x.extents(), 1);
    int const before = felt::threads();
    felt::threads(1);
    aside = f(x);
    felt::threads(2);
    x = f(x);
    felt::threads(before);
    return felt::all_close(x, aside, 1e-5, 1e-5);
}

}  // namespace

TEST_CASE("in place on two threads, whichever loop they share out") {
    for (auto const& [m, n] : {std::pair<index_t, index_t>{3000, 100}, {70, 4000}, {300, 300}}) {
        CAPTURE(m);
        CHECK(is_same_in_place(m, n, [](auto& x) { return x - felt::mean<0>(x, keepdims); }));
        CHECK(is_same_in_place(m, n, [](auto& x) { return felt::softmax<0>(x); }));
        CHECK(is_same_in_place(m, n, [](auto& x) { return felt::softmax<1>(x); }));
        CHECK(is_same_in_place(m, n, [](auto& x) { return felt::roll<0>(x, 1) - x; }));
        CHECK(is_same_in_place(
            m, n, [](auto& x) { return felt::cumsum<0>(x) - felt::mean<0>(x, keepdims); }));
        CHECK(is_same_in_place(m, n, [](auto& x) {
            return x * felt::max<0>(x) + felt::sum<1>(x, keepdims) - felt::flip<1>(x);
        }));
    }
}
