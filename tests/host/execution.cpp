// SPDX-License-Identifier: BSD-3-Clause
//
// Statements that read what they write: by other indices, with a temporary or without.
#include "tests/differential/memory.hpp"
#include "tests/differential/sums.hpp"
#include "tests/support/counted.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using plain::array;
using test::dice;
using test::field;
using test::order;
using test::tensors_of;

TEST_CASE("overlapping slices of one tensor") {
    dice d(93);
    array const x = test::whole_numbers({200}, d);
    for (auto [to, from] : {std::pair{0, 1}, std::pair{1, 0}, std::pair{40, 3}, std::pair{3, 40}}) {
        field<float, 1> f(x, order::rows);
        auto const v = f.view();
        slice(v, felt::range(to, to + 150)) = slice(v, felt::range(from, from + 150)) * 2;
        array expected = x;
        for (std::size_t i = 0; i < 150; ++i) {
            expected.v[i + static_cast<std::size_t>(to)] =
                2 * x.v[i + static_cast<std::size_t>(from)];
        }
        CHECK(test::difference(f.get(), expected, 0) == "");
    }
    field<float, 1> f(x, order::rows);
    auto const v = f.view();
    slice(v, felt::range(0, 200, 2)) = slice(v, felt::range(1, 200, 2));
    CHECK(f.get().v[0] == x.v[1]);
    CHECK(f.get().v[198] == x.v[199]);
    CHECK(f.get().v[1] == x.v[1]);
}

TEST_CASE("a temporary is in the plan, and noalias does without it") {
    felt::Tensor<float, 2> x({50, 50}), y({50, 50});
    x = felt::iota<float>({50, 50});
    y = x;
    CHECK_FALSE(felt::explain(assign(x, transpose(x))).intermediates().empty());
    CHECK(felt::explain(assign(y, transpose(x))).intermediates().empty());
    CHECK(tensors_of([&] { x = x + transpose(x); }) == 1);
    auto upper = slice(y, felt::range(0, 25), felt::all());
    auto lower = slice(y, felt::range(25, 50), felt::all());
    CHECK(tensors_of([&] { felt::noalias(upper) = lower + 1; }) == 0);
    CHECK(y(0, 0) == 25 * 50 + 1);
    CHECK(y(49, 49) == 2499);
}

TEST_CASE("interleaved columns of one matrix do not read each other") {
    dice d(94);
    array const x = test::whole_numbers({40, 60}, d);
    field<float, 2> f(x, order::rows);
    auto const v = f.view();
    auto left = slice(v, felt::all(), felt::range(0, 60, 2));
    left = transpose(transpose(slice(v, felt::all(), felt::range(1, 60, 2)))) * 3;
    array const y = f.get();
    for (std::size_t i = 0; i < y.v.size(); ++i) {
        CHECK(y.v[i] == (i % 2 == 0 ? 3 * x.v[i + 1] : x.v[i]));
    }
}
