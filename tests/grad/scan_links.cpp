// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;
using test::values;

TEST_CASE("a state has what comes to it at the first step, other names what all steps say") {
    auto const W = test::numbered<Tensor<double, 2>>({2, 3});
    Tensor<double, 2> const dz = W * 2, ds = W * 5;
    auto const w = named<"w">(W);
    auto const e = as_node(w * 3.0);
    using E = std::remove_const_t<decltype(e)>;
    auto const d = as_node(dz), s = as_node(ds);
    using D = std::remove_const_t<decltype(d)>;
    using slots = tuple<derive::series_link<E, E, D>>;
    using states = tuple<derive::state_link<literal_name<"s0">, D>>;
    derive::scan_link<slots, states> const link{{{e, e, d}}, {{s}}};
    CHECK(values(derive::from_link<literal_name<"w">>(link)) == values(dz * 3));
    CHECK(values(derive::from_link<literal_name<"s0">>(link)) == values(ds));
    using of_other = decltype(derive::from_link<literal_name<"b">>(link));
    CHECK(std::is_same_v<of_other, derive::zero>);
}
