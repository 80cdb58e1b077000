// SPDX-License-Identifier: BSD-3-Clause
//
// hello.cpp and ten statements more: cost and gradient of an autoencoder.
#include <felt/felt.hpp>
#include <iomanip>
#include <iostream>

int main() {
    felt::Tensor<float, 2> w({196, 784}), x({784, 1000}), b({196, 1});
    w = 0.05f * felt::normal<float>(w.extents(), 1);
    x = felt::uniform<float>(x.extents(), 2);
    b = 0.1f;
    felt::Tensor<float, 2> h = sigmoid(matmul(w, x) + b);
    float const active = mean(cast<float>(h > 0.5f));
    std::cout << std::setprecision(3) << "h(0, 0) = " << h(0, 0) << ", active: " << 100 * active
              << " %\n";

    felt::Tensor<float, 2> y({784, 1000}), dy({784, 1000}), dh({196, 1000}), dw({196, 784});
    felt::Tensor<float, 2> c({784, 1}), v({784, 196}), db({196, 1});
    felt::Tensor<float, 1> rho({196}), pull({196});
    v = transpose(w) + 0.f;                                                        // 1
    y = sigmoid(matmul(v, h) + c);                                                 // 2
    float const cost = mean(square(y - x));                                        // 3
    rho = felt::mean<1>(h);                                                        // 4
    pull = (1.f - 0.05f) / (1.f - rho) - 0.05f / rho;                              // 5
    dy = (y - x) * y * (1.f - y);                                                  // 6
    dh = (matmul(transpose(v), dy) + felt::expand_dims<1>(pull)) * h * (1.f - h);  // 7
    dw = matmul(dh, transpose(x)) / 1000.f + 1e-4f * w;                            // 8
    db = felt::expand_dims<1>(felt::mean<1>(dh));                                  // 9
    w -= 0.1f * dw;                                                                // 10
    std::cout << "cost " << cost << ", db " << db(0, 0) << '\n';
}
