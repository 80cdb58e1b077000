// SPDX-License-Identifier: BSD-3-Clause
#include "tests/device/same.hpp"

using namespace felt;

TEST_CASE("a function of an expression's leaves, in the order in which they are written") {
    Tensor<float, 1, Device> const x({3}), y({3});
    Tensor<double, 1, Device> const z({3});
    auto const n = lower(where(x > 0.5F, (x - y) * 2.0, 1 / z) - y);
    auto const r = reader(n, device::own_loops<1>());
    auto const from = leaves(r);
    static_assert(std::tuple_size_v<std::remove_const_t<decltype(from)>> == 5);
    CHECK(std::get<0>(from).data == x.data());
    CHECK(std::get<1>(from).data == x.data());
    CHECK(std::get<2>(from).data == y.data());
    CHECK(std::get<3>(from).data == z.data());
    CHECK(std::get<4>(from).data == y.data());
    auto const all = device::numbered<0>::of(r);
    device::element_function<double, std::remove_const_t<decltype(all)>> const f{all};
    CHECK(f(1.F, 3.F, 1.F, 4.0, 0.5F) == 3.5);
    CHECK(f(0.F, 3.F, 1.F, 4.0, 0.5F) == -0.25);
}

TEST_CASE("scalars and functions that hold values are no arguments") {
    Tensor<float, 1, Device> const x({3});
    auto const n = lower(clip(x, -1, 2) * 3.F);
    auto const r = reader(n, device::own_loops<1>());
    static_assert(std::tuple_size_v<decltype(leaves(r))> == 1);
    auto const all = device::numbered<0>::of(r);
    device::element_function<float, std::remove_const_t<decltype(all)>> const f{all};
    CHECK(f(5.F) == 6.F);
    CHECK(f(-5.F) == -3.F);
}
