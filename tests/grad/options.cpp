// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

TEST_CASE("an option names the parts that it is about") {
    Tensor<double, 1> v({3});
    v = 2.0;
    auto const z = let<"z">(exp(named<"v">(v)));
    using Z = std::remove_cvref_t<decltype(z)>;
    static_assert(derive::is_inlined<Z, decltype(inlined<"a", "z">())>);
    static_assert(!derive::is_inlined<Z, decltype(inlined<"a">())>);
    static_assert(!derive::is_inlined<Z, decltype(written<"z">())>);
    static_assert(derive::is_written<Z, decltype(written<"z">())>);
    using both = wrt_names<literal_name<"w">, literal_name<"b">>;
    static_assert(std::is_same_v<decltype(wrt<"w", "b">()), both>);
    CHECK(z.extents() == v.extents());
}
