// SPDX-License-Identifier: BSD-3-Clause
//
// k-means: each point goes to the nearest centre, each centre to the mean of its points (Lloyd).
#include "recipe.hpp"

using felt::index_t, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv,
                   {.does = "Groups points", .size = 100000, .unit = "points", .least = 32});
    index_t const n = r.size(), d = 16, k = 32;

    Tensor<float, 2> const truth = 2 * felt::normal<float>({k, d}, 1);
    Tensor<float, 2> const x =
        gather<0>(truth, felt::arange(n) % k) + felt::normal<float>({n, d}, 2);

    auto const steps = [&] {
        Tensor<float, 2> centres = slice(x, felt::until(k), felt::all());
        Tensor<index_t, 1> nearest({n});
        for (int step = 0; step < 10; ++step) {
            // |x - c|^2 less |x|^2, which all centres have in common.
            nearest = argmin<1>(sum<1>(square(centres)) - 2 * matmul(x, transpose(centres)));
            centres = felt::scatter_add<0>({k, d}, nearest, x) /
                      expand_dims<1>(cast<float>(bincount(nearest, k)));
        }
        return std::pair(centres, nearest);
    };
    auto const [centres, nearest] = r.best_of(steps);

    std::cout << "distance to the centre: " << mean(norm<1>(x - gather<0>(centres, nearest)))
              << '\n';
    std::cout << "largest group: " << max(bincount(nearest, k)) << '\n';
}
