// SPDX-License-Identifier: BSD-3-Clause
//
// Conway's game of life on a torus: a cell lives on with two or three neighbours, and is born of
// three.
#include "recipe.hpp"

using felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv,
                   {.does = "Lets cells live", .size = 1024, .unit = "rows", .draws = true});

    Tensor<std::uint8_t, 2> const first =
        cast<std::uint8_t>(felt::uniform<float>({r.size(), r.size()}, 1) < 0.3f);

    auto const generations = [&] {
        Tensor<std::uint8_t, 2> cells = first, row;
        for (int generation = 0; generation < 100; ++generation) {
            row = roll<1>(cells, 1) + cells + roll<1>(cells, -1);
            auto const nine = roll<0>(row, 1) + row + roll<0>(row, -1);
            cells = cast<std::uint8_t>(nine == 3 || (nine == 4 && cells == 1));
        }
        return cells;
    };
    auto const cells = r.best_of(generations);

    std::cout << "cells alive: " << sum(cells) << '\n';
    std::cout << "in the first row: " << sum(slice(cells, 0, felt::all())) << '\n';
    r.draw(cast<float>(cells));
}
