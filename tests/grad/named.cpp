// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

TEST_CASE("names tell leaves of one type apart") {
    Tensor<float, 2> a({2, 3}), b({2, 3});
    auto const x = named<"a">(a);
    auto const y = named<"b">(b);
    static_assert(!std::is_same_v<decltype(x), decltype(y)>);
    static_assert(std::is_same_v<decltype(x), decltype(named<"a">(b)) const>);
    CHECK(x.extents() == a.extents());
    CHECK(std::string(y.label) == "b");
}

TEST_CASE("a view may be named, and what is constant") {
    Tensor<double, 1> const v = iota<double>({6});
    auto const part = named<"v">(slice(v, range(1, 5)));
    Tensor<double, 1> const g = grad<"v">(sum(part * part));
    CHECK((g.extents()[0] == 4 && g(0) == 2 && g(3) == 8));
}

TEST_CASE("a named tensor is read where it is") {
    Tensor<double, 1> v({3});
    v = 2.0;
    auto const x = named<"v">(v);
    auto const e = sum(x * x);
    v = 3.0;
    CHECK(static_cast<double>(e) == 27);
}
