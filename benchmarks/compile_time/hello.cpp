// SPDX-License-Identifier: BSD-3-Clause
//
// The first program of the README.
#include <felt/felt.hpp>
#include <iostream>

int main() {
    felt::Tensor<float, 2> w({196, 784}), x({784, 1000}), b({196, 1});
    w = 0.05f * felt::normal<float>(w.extents(), 1);
    x = felt::uniform<float>(x.extents(), 2);
    b = 0.1f;
    felt::Tensor<float, 2> h({196, 1000});
    h = sigmoid(matmul(w, x) + b);
    float const active = mean(cast<float>(h > 0.5f));
    std::cout << "h(0, 0) = " << h(0, 0) << ", active: " << 100 * active << " %\n";
}
