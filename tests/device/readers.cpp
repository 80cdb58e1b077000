// SPDX-License-Identifier: BSD-3-Clause
//
// Maps, views and generators, read in a kernel.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("maps broadcast") {
    same([](auto& x, auto& v, auto&) { return sigmoid(x) * v + 0.5f; });
    same([](auto& x, auto&, auto&) { return where(x > 0, exp(x), clip(x, -1, 1)); });
}

TEST_CASE("views of expressions and of tensors") {
    same([](auto& x, auto&, auto&) { return transpose(x) * 2 + transpose(x + 1); });
    same([](auto& x, auto&, auto&) { return flip<0, 1>(x) + flip<1>(exp(x)); });
    same([](auto& x, auto&, auto&) { return slice(x * 2, range(0, x.extent(0), 2), all()); });
    same([](auto& x, auto&, auto&) { return pad(x, {{1, 0}, {2, 3}}, 7); });
    same([](auto& x, auto&, auto&) { return upsample(x + 1, {2, 3}); });
    same([](auto& x, auto& v, auto&) { return broadcast_to(expand_dims<0>(v), x.extents()) - x; });
    same([](auto& x, auto&, auto&) { return reshape(transpose(x), {x.size()}) + 1; });
    same([](auto& x, auto&, auto&) { return concat<0>(x, exp(x)) * 2; });
    same([](auto& x, auto&, auto&) { return concat<1>(transpose(x), transpose(x) - 1); });
}

TEST_CASE("gather and one_hot") {
    same([](auto& x, auto&, auto& at) { return gather<0>(x * 2, at); });
    same([](auto& x, auto&, auto& at) { return one_hot<float>(at, 5) + sum(x); });
}

TEST_CASE("random numbers are those of the host") {
    Tensor<float, 2, Device> const u = uniform<float>({33, 257}, 9);
    Tensor<float, 2, Device> const g = normal<float>({33, 257}, 9);
    Tensor<double, 1, Device> const d = uniform<double>({1001}, 9);
    CHECK(bool(felt::all(to<Host>(u) == uniform<float>({33, 257}, 9))));
    CHECK(bool(felt::all(to<Host>(d) == uniform<double>({1001}, 9))));
    CHECK(all_close(to<Host>(g), normal<float>({33, 257}, 9), 4.8e-7, 4.8e-7));
}
