// SPDX-License-Identifier: BSD-3-Clause
//
// A point is of the class that most of its five nearest neighbours have.
#include "recipe.hpp"
#include <felt/sorting.hpp>

using felt::index_t, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv,
                   {.does = "Classifies points", .size = 5000, .unit = "known points", .least = 6});
    index_t const n = r.size(), m = 1000, d = 32, classes = 10, k = 5;

    Tensor<float, 2> const centres = felt::normal<float>({classes, d}, 1);
    Tensor<index_t, 1> const labels = felt::arange(n) % classes;
    Tensor<float, 2> const known = gather<0>(centres, labels) + felt::normal<float>({n, d}, 2);
    Tensor<index_t, 1> const truth = felt::arange(m) % classes;
    Tensor<float, 2> const x = gather<0>(centres, truth) + felt::normal<float>({m, d}, 3);

    auto const classified = [&] {
        Tensor<float, 2> const squared = sum<1>(square(x), felt::keepdims) + sum<1>(square(known)) -
                                         2 * matmul(x, transpose(known));
        auto const nearest = topk<1>(squared, k, felt::sort_order::ascending);
        auto const votes = reshape(gather<0>(labels, flatten(nearest.indices)), {m, k});
        Tensor<index_t, 1> guess = argmax<1>(sum<1>(felt::one_hot<int>(votes, classes)));
        return std::pair(eval(mean<1>(sqrt(nearest.values))), guess);
    };
    auto const [distance, guess] = r.best_of(classified);

    std::cout << "mean distance: " << mean(distance) << '\n';
    std::cout << "right: " << mean(cast<float>(guess == truth)) << '\n';
}
