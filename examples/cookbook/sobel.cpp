// SPDX-License-Identifier: BSD-3-Clause
//
// Edges of a picture: the length of its gradient, by Sobel's two filters.
#include "recipe.hpp"

using felt::index_t, felt::range, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv,
                   {.does = "Finds edges", .size = 2048, .unit = "rows", .draws = true});
    index_t const n = r.size();

    // Rings, the finer the farther from the corner.
    auto const i = felt::iota<float>(n) / std::sqrt(float(n));
    Tensor<float, 2> const x = 0.5f + 0.5f * cos(square(i) + square(expand_dims<1>(i)));

    auto const filtered = [&] {
        Tensor<float, 2> const wide = pad(x, {{1, 1}, {1, 1}}, felt::pad_mode::edge);
        auto const at = [&](index_t p, index_t q) {
            return slice(wide, range(1 + p, 1 + p + n), range(1 + q, 1 + q + n));
        };
        auto const down =
            at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
        auto const right =
            at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
        return eval(sqrt(square(down) + square(right)) / 4);
    };
    auto const edges = r.best_of(filtered);

    std::cout << "mean: " << mean(edges) << '\n';
    std::cout << "steep: " << mean(cast<float>(edges > 0.5f)) << '\n';
    r.draw(edges);
}
