// SPDX-License-Identifier: BSD-3-Clause
//
// A non-negative matrix as a product of two: V ~ W H, by multiplicative updates. (Lee and Seung,
// "Algorithms for non-negative matrix factorization", 2001.)
#include "recipe.hpp"

using felt::index_t, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv, {.does = "Factors a matrix", .size = 2000, .unit = "rows"});
    index_t const n = r.size(), m = 500, k = 20;

    auto const parts = matmul(felt::uniform<float>({n, k}, 1), felt::uniform<float>({k, m}, 2));
    Tensor<float, 2> const V = parts + felt::uniform<float>({n, m}, 3);

    auto const updates = [&] {
        Tensor<float, 2> W = felt::uniform<float>({n, k}, 4), H = felt::uniform<float>({k, m}, 5);
        for (int step = 0; step < 50; ++step) {
            H *= matmul(transpose(W), V) / matmul(matmul(transpose(W), W), H);
            W *= matmul(V, transpose(H)) / matmul(W, matmul(H, transpose(H)));
        }
        return std::pair(W, H);
    };
    auto const [W, H] = r.best_of(updates);

    std::cout << "rest: " << norm(flatten(V - matmul(W, H))) / norm(flatten(V)) << '\n';
    std::cout << "least: " << min(matmul(W, H)) << '\n';
}
