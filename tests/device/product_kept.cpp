// SPDX-License-Identifier: BSD-3-Clause
//
// What a product becomes with it: in its own launch, or read from memory.
#include "tests/device/products.hpp"

using namespace felt;
using test::launches_of;
using test::operands;
using test::same_product;

TEST_CASE("a product that is reduced is in memory, and read from there") {
    operands const o;
    auto const p = matmul(o.da, o.db);
    auto const h = [&] { return matmul(o.a, o.b); };
    same_product(softmax<1>(p / 4 + o.dv), [&] { return softmax<1>(h() / 4 + o.v); });
    same_product(p - mean<0>(p), [&] { return h() - mean<0>(h()); });
    same_product(sum<1>(square(p)), [&] { return sum<1>(square(h())); });
    if (!device::has_tiles) return;
    CHECK(launches_of(p - mean<0>(p)) == 3);
}

TEST_CASE("slices of one product are one pass") {
    operands const o;
    auto const part = [](auto const& z, index_t g) {
        return slice(z, all(), range(g * 5, g * 5 + 5));
    };
    auto const gates = [&](auto const& z) {
        return sigmoid(part(z, 0)) * tanh(part(z, 1)) + part(z, 3);
    };
    same_product(gates(matmul(o.da, o.db)), [&] { return gates(matmul(o.a, o.b)); });
    auto const skewed = [&](auto const& z) { return part(z, 0) + slice(z, all(), range(7, 12)); };
    same_product(skewed(matmul(o.da, o.db)), [&] { return skewed(matmul(o.a, o.b)); });
    if (device::has_tiles) CHECK(launches_of(gates(matmul(o.da, o.db))) == 1);
}

TEST_CASE("convolution with bias, activation and pool") {
    Tensor<float, 4> const x = normal<float>({2, 3, 8, 8}, 1), w = normal<float>({4, 3, 3, 3}, 2);
    Tensor<float, 4, Device> const dx = to<Device>(x), dw = to<Device>(w);
    same_product(avg_pool2d(sigmoid(conv2d(dx, dw) + 1)),
                 [&] { return avg_pool2d(sigmoid(conv2d(x, w) + 1)); });
    same_product(max_pool2d(relu(conv2d(dx, dw)), {{3, 3}, {1, 1}}),
                 [&] { return max_pool2d(relu(conv2d(x, w)), {{3, 3}, {1, 1}}); });
    if (!device::has_tiles) return;
    CHECK(launches_of(avg_pool2d(sigmoid(conv2d(dx, dw) + 1))) == 1);
    CHECK(launches_of(max_pool2d(relu(conv2d(dx, dw)), {{3, 3}, {1, 1}})) == 2);
}
