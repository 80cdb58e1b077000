// SPDX-License-Identifier: BSD-3-Clause
//
// Logistic regression by gradient descent, the gradient written by hand.
#include "recipe.hpp"

using felt::index_t, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv,
                   {.does = "Learns to tell two classes", .size = 20000, .unit = "samples"});
    index_t const n = r.size(), d = 100;

    Tensor<float, 1> const truth = felt::normal<float>({d}, 1);
    Tensor<float, 2> const x = felt::normal<float>({n, d}, 2);
    Tensor<float, 1> const y =
        cast<float>(matmul(x, truth) + 5 * felt::normal<float>({n}, 3) > 0.f);

    auto const descent = [&] {
        Tensor<float, 1> w({d});
        for (int step = 0; step < 100; ++step) {
            auto const p = sigmoid(matmul(x, w));  // an expression: nothing runs yet
            w -= 0.5f / float(n) * matmul(p - y, x);
        }
        return w;
    };
    auto const w = r.best_of(descent);

    auto const z = matmul(x, w);
    std::cout << "loss: " << mean(softplus(z) - y * z) << '\n';
    std::cout << "right: " << mean(cast<float>((z > 0.f) == (y > 0.5f))) << '\n';
}
