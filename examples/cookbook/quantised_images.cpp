// SPDX-License-Identifier: BSD-3-Clause
//
// Images of 8 bits by weights of 8 bits: sums of 32 bits, which are scaled, clipped and rounded to
// 8 bits again. A pass reads bytes and writes bytes.
#include "recipe.hpp"

using felt::index_t, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv, {.does = "Encodes images", .size = 20000, .unit = "images"});
    index_t const n = r.size(), pixels = 16 * 16, features = 128;

    Tensor<std::uint8_t, 2> const x =
        cast<std::uint8_t>(256 * felt::uniform<float>({n, pixels}, 1));
    Tensor<std::int8_t, 2> const w =
        cast<std::int8_t>(round(40 * felt::normal<float>({pixels, features}, 2)));
    Tensor<std::int32_t, 1> const bias = cast<std::int32_t>(100 * felt::iota({features}));

    auto const encoded = [&] {
        auto const sums = matmul(cast<std::int32_t>(x), cast<std::int32_t>(w)) + bias;
        return eval(cast<std::uint8_t>(round(clip(cast<float>(sums) / 1024, 0, 255))));
    };
    auto const y = r.best_of(encoded);

    std::cout << "mean: " << mean(cast<float>(y)) << '\n';
    std::cout << "dark: " << mean(cast<float>(y == 0)) << '\n';
}
