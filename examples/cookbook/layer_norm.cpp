// SPDX-License-Identifier: BSD-3-Clause
//
// Layer normalisation: each token's features to mean 0 and deviation 1, then scaled and shifted.
#include "recipe.hpp"

using felt::index_t, felt::keepdims, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv, {.does = "Normalises features", .size = 8192, .unit = "tokens"});
    index_t const n = r.size(), d = 768;

    Tensor<float, 2> const x = 3 + 2 * felt::normal<float>({n, d}, 1);
    Tensor<float, 1> const gamma = felt::uniform<float>({d}, 2);
    Tensor<float, 1> const beta = felt::normal<float>({d}, 3);

    auto const normalised = [&] {
        auto const centred = x - mean<1>(x, keepdims);
        return eval(gamma * centred / sqrt(var<1>(x, keepdims) + 1e-5f) + beta);
    };
    auto const y = r.best_of(normalised);

    std::cout << "y(0, 0): " << y(0, 0) << '\n';
    std::cout << "mean of squares: " << mean(square(y)) << '\n';
}
