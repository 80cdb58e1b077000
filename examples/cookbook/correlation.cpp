// SPDX-License-Identifier: BSD-3-Clause
//
// Where a patch is found in a picture: at the largest normalised correlation with what lies under
// it, summed directly, without Fourier transforms.
#include "recipe.hpp"

using felt::all, felt::index_t, felt::range, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(
        argc, argv,
        {.does = "Finds a patch", .size = 512, .unit = "rows", .least = 64, .draws = true});
    constexpr int k = 16;
    index_t const n = r.size(), row = n / 3, column = n / 2;

    Tensor<float, 2> const x = felt::normal<float>({n, n}, 1);
    auto const part = slice(x, range(row, row + k), range(column, column + k));
    Tensor<float, 2> const patch = part + 0.5f * felt::normal<float>({k, k}, 2);

    auto const found = [&] {
        auto const under = [](auto const& picture) { return windows(picture, {k, k}); };
        auto const likeness = felt::einsum<"ijpq,pq->ij">(under(x), patch);
        auto const energy = sum<2, 3>(under(square(x)));
        Tensor<float, 2> score = likeness / sqrt(energy * sum(square(patch)));
        return std::pair(score, index_t(argmax(score)));
    };
    auto const [score, best] = r.best_of(found);

    index_t const across = score.extent(1);
    std::cout << "found at: " << best / across << ' ' << best % across << ", there: " << row << ' '
              << column << '\n';
    std::cout << "score: " << max(score) << ", of others: " << stddev(score) << '\n';
    r.draw(score);
}
