// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using namespace felt;

namespace {
auto values() {
    Tensor<float, 4> x({2, 3, 4, 5});
    x = normal<float>(x.extents(), 1);
    return x;
}
Tensor<float, 1> const b = iota<float>({3}) + 1;
}  // namespace

TEST_CASE("a vector along an axis of what it meets") {
    auto const x = values();
    Tensor<float, 4> const y = x * along<1>(b), by_hand = x * reshape(b, {1, 3, 1, 1});
    CHECK(all_close(y, by_hand, 0, 0));
    Tensor<float, 4> const other = 2 - along<1>(b) + x;
    CHECK(other(1, 2, 3, 4) == 2 - b(2) + x(1, 2, 3, 4));
}

TEST_CASE("maps of vectors along one axis are one") {
    auto const x = values();
    auto const scale = sqrt(along<1>(b) * 2 + along<1>(b));
    Tensor<float, 4> const y = scale * x;
    CHECK(y(1, 2, 3, 4) == doctest::Approx(std::sqrt(3 * b(2)) * x(1, 2, 3, 4)));
    Tensor<double, 4> const z = cast<double>(along<1>(b)) * cast<double>(x);
    CHECK(z(0, 1, 2, 3) == static_cast<double>(b(1)) * static_cast<double>(x(0, 1, 2, 3)));
}

TEST_CASE("along different axes they span a space") {
    Tensor<float, 1> const c = iota<float>({4});
    Tensor<float, 2> const y = along<0>(b) * along<1>(c);
    CHECK(y.extents() == extents<2>{{3, 4}});
    CHECK(y(2, 3) == b(2) * c(3));
}

TEST_CASE("what is assigned a vector along an axis has it there") {
    Tensor<float, 4> y({2, 3, 4, 3});
    y = along<1>(b);
    CHECK((y(1, 2, 3, 0) == b(2) && y(0, 0, 0, 2) == b(0)));
    Tensor<double, 4> z({2, 3, 4, 3});
    z = 2 * along<3>(b);
    CHECK(z(1, 0, 3, 2) == 2.0 * static_cast<double>(b(2)));
}

TEST_CASE("it has the extent of the axis") {
    auto const x = values();
    CHECK_THROWS_AS((void)(x + along<2>(b)), shape_error);
}

TEST_CASE("a statement has the type of the one by a view") {
    auto const x = values();
    Tensor<float, 4> y(x.extents());
    auto const by_name = assign(y, x + along<1>(b));
    auto const by_view = assign(y, x + expand_dims<0>(expand_dims<1>(expand_dims<1>(b))));
    static_assert(std::is_same_v<decltype(by_name), decltype(by_view)>);
    fuse(by_name);
    CHECK(y(0, 1, 0, 0) == x(0, 1, 0, 0) + b(1));
}
