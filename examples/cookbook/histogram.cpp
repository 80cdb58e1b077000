// SPDX-License-Identifier: BSD-3-Clause
//
// A picture whose shades are made equally frequent: a histogram by scatter_add, its running sum,
// and a look-up of every pixel in it.
#include "recipe.hpp"

using felt::index_t, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv,
                   {.does = "Evens out shades", .size = 2048, .unit = "rows", .draws = true});
    index_t const n = r.size(), shades = 256;

    // Dark, with a bright middle.
    auto const i = (felt::iota<float>(n) + 0.5f) / float(n) - 0.5f;
    auto const light = exp(-8 * (square(i) + square(expand_dims<1>(i))));
    Tensor<std::uint8_t, 2> const x =
        cast<std::uint8_t>(200 * light * (0.5f + 0.5f * felt::uniform<float>({n, n}, 1)));

    auto const equalised = [&] {
        auto const pixels = flatten(x);
        auto const ones = felt::ones<int>({n * n});
        auto const count = felt::scatter_add<0>({shades}, pixels, ones);
        Tensor<float, 1> const below = cast<float>(cumsum(count)) / float(n * n);
        return eval(reshape(gather<0>(below, pixels), {n, n}));
    };
    auto const y = r.best_of(equalised);

    std::cout << "mean: " << mean(cast<float>(x)) / 255 << ", after: " << mean(y) << '\n';
    std::cout << "darker than half: " << mean(cast<float>(y < 0.5f)) << '\n';
    r.draw(y);
}
