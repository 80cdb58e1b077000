// SPDX-License-Identifier: BSD-3-Clause
//
// hello.cpp by xtensor, whose product is xtensor-blas; here by a loop over columns of its own.
#include <iostream>
#include <xtensor/xmath.hpp>
#include <xtensor/xrandom.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

int main() {
    xt::xtensor<float, 2> const w = 0.05f * xt::random::randn<float>({196, 784});
    xt::xtensor<float, 2> const x = xt::random::rand<float>({784, 1000});
    xt::xtensor<float, 2> const b = 0.1f * xt::ones<float>({196, 1});
    xt::xtensor<float, 2> product = xt::zeros<float>({196, 1000});
    for (std::size_t k = 0; k != 784; ++k) {
        product += xt::view(w, xt::all(), xt::range(k, k + 1)) *
                   xt::view(x, xt::range(k, k + 1), xt::all());
    }
    xt::xtensor<float, 2> const h = 1.f / (1.f + xt::exp(-(product + b)));
    float const active = xt::mean(xt::cast<float>(h > 0.5f))();
    std::cout << "h(0, 0) = " << h(0, 0) << ", active: " << 100 * active << " %\n";
}
