// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

TEST_CASE("expressions depend on the names in them") {
    Tensor<float, 2> a({2, 3}), b({2, 3});
    auto const x = named<"a">(a);
    auto const y = named<"b">(b);
    auto const e = exp(x) * y;
    using E = std::remove_cvref_t<decltype(e)>;
    static_assert(derive::depends<literal_name<"a">, E> && derive::depends<literal_name<"b">, E> &&
                  !derive::depends<literal_name<"c">, E>);
    auto const s = stop(x) * y;
    static_assert(!derive::depends<literal_name<"a">, std::remove_cvref_t<decltype(s)>>);
    auto const z = let<"z">(x * 2);
    auto const l = exp(z) + y;
    using L = std::remove_cvref_t<decltype(l)>;
    static_assert(derive::depends<literal_name<"z">, L> && !derive::depends<literal_name<"a">, L> &&
                  derive::reaches<literal_name<"a">, L>);
    CHECK(e.extents() == l.extents());
}

TEST_CASE("axes of extent 1 by type") {
    Tensor<float, 1> v({3});
    Tensor<float, 2> m({4, 3});
    auto const x = named<"v">(v);
    auto const column = expand_dims<1>(x);
    using Column = std::remove_cvref_t<decltype(column)>;
    static_assert(derive::unit_axes<Column> == 2U);
    static_assert(derive::unit_axes<decltype(exp(column))> == 2U);
    static_assert(derive::unit_axes<decltype(column + m)> == 0U);
    static_assert(derive::units_in<std::remove_cvref_t<decltype(x)>, 3> == 3U);
    static_assert(derive::units_in<Column, 3> == 5U);
    static_assert(derive::unit_axes<decltype(sum<0>(column))> == 1U);  // (1)
    static_assert(derive::unit_axes<decltype(sum<1>(column))> == 0U);
    CHECK(column.extents() == extents<2>{{3, 1}});
}
