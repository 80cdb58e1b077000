// SPDX-License-Identifier: BSD-3-Clause
//
// Values by let are found once each, and have one derivative.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::error_of;
using test::tolerance;

TEST_CASE("values by let, the innermost first, each once") {
    Tensor<double, 1> v({4});
    v = 0.5;
    auto const x = named<"v">(v);
    auto const a = let<"a">(exp(x));
    auto const b = let<"b">(a * a + x);
    auto const e = sum(b * a + b);
    auto const found = derive::lets_in(as_node(e), tuple<>{});
    static_assert(derive::count_of(static_cast<decltype(&found)>(nullptr)) == 2);
    CHECK(std::string(get<0>(found).label) == "a");
    CHECK(std::string(get<1>(found).label) == "b");
}

TEST_CASE("derivatives through values that are used several times") {
    Tensor<double, 2> w({4, 4}), c({4, 3});
    w = normal<double>(w.extents(), 1) * 0.3, c = normal<double>(c.extents(), 2);
    CHECK(error_of(w, [&](auto x) {
              auto const z = let<"z">(tanh(matmul(x, c)));
              auto const u = let<"u">(z * z + matmul(x, z));
              return u * z;
          }) < tolerance);
    CHECK(error_of(w, [&](auto x) {
              auto const z = let<"z">(x * x);
              auto const u = let<"u">(z * z);
              return u * z + u;
          }) < tolerance);
}
