// SPDX-License-Identifier: BSD-3-Clause
//
// Attention: softmax(q k^T / sqrt(d)) v for each head. The weights are never written as a whole.
#include "recipe.hpp"
#include <cmath>

using felt::index_t, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv, {.does = "Attends to a text", .size = 1024, .unit = "tokens"});
    index_t const heads = 8, n = r.size(), d = 64;

    Tensor<float, 3> const q = felt::normal<float>({heads, n, d}, 1);
    Tensor<float, 3> const k = felt::normal<float>({heads, n, d}, 2);
    Tensor<float, 3> const v = felt::normal<float>({heads, n, d}, 3);

    auto const attended = [&] {
        auto const scores = matmul(q, mT(k)) / std::sqrt(float(d));
        return eval(matmul(softmax<-1>(scores), v));
    };
    auto const y = r.best_of(attended);

    std::cout << "y(0, 0, 0): " << y(0, 0, 0) << '\n';
    std::cout << "mean of squares: " << mean(square(y)) << '\n';
}
