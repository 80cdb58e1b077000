// SPDX-License-Identifier: BSD-3-Clause
//
// Softmax of a product, by the package that conan create has made.
#include <felt/felt.hpp>
#include <cmath>
#include <iostream>

int main() {
    felt::Tensor<float, 2> const x = felt::uniform<float>({3, 5}, 1);
    felt::Tensor<float, 2> const w = felt::uniform<float>({5, 4}, 2);
    felt::Tensor<float, 2> y({3, 4});
    y = softmax<1>(matmul(x, w));
    std::cout << y << '\n';
    return std::abs(sum(y) - 3) < 1e-5F ? 0 : 1;
}
