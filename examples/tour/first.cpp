// SPDX-License-Identifier: BSD-3-Clause
//
// The program of the README, which shows what it prints.
//[program]
#include <felt/felt.hpp>
#include <iomanip>
#include <iostream>

int main() {
    felt::Tensor<float, 2> w({196, 784}), x({784, 1000}), b({196, 1});
    w = 0.05f * felt::normal<float>(w.extents(), 1);  // random numbers are expressions too
    x = felt::uniform<float>(x.extents(), 2);
    b = 0.1f;

    felt::Tensor<float, 2> h = sigmoid(matmul(w, x) + b);  // one pass; w x is never written

    float const active = mean(cast<float>(h > 0.5f));  // a full reduction is a number
    std::cout << std::setprecision(3) << "h(0, 0) = " << h(0, 0) << ", active: " << 100 * active
              << " %\n";
}
//[program]
