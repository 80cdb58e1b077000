// SPDX-License-Identifier: BSD-3-Clause
//
// A Gaussian blur: weighted means down the columns of a picture, then along its rows.
#include "recipe.hpp"

using felt::index_t, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv,
                   {.does = "Blurs a picture", .size = 2048, .unit = "rows", .draws = true});
    constexpr int reach = 6, k = 2 * reach + 1;
    index_t const n = r.size();
    float const sigma = 2;

    // A board of squares, in noise.
    auto const square_of = cast<index_t>(felt::iota(n) / 64);
    Tensor<float, 2> const x = cast<float>((square_of + expand_dims<1>(square_of)) % 2) +
                               0.2f * felt::normal<float>({n, n}, 1);

    Tensor<float, 1> w = exp(-square((felt::iota<float>(k) - float(reach)) / sigma) / 2);
    w /= sum(w);

    auto const blurred = [&] {
        Tensor<float, 2> const tall = pad(x, {{reach, reach}, {0, 0}}, felt::pad_mode::edge);
        Tensor<float, 2> const down =
            felt::einsum<"ijpq,pq->ij">(windows(tall, {k, 1}), reshape(w, {k, 1}));
        Tensor<float, 2> const wide = pad(down, {{0, 0}, {reach, reach}}, felt::pad_mode::edge);
        return eval(felt::einsum<"ijpq,pq->ij">(windows(wide, {1, k}), reshape(w, {1, k})));
    };
    auto const y = r.best_of(blurred);

    std::cout << "deviation: " << stddev(x) << ", after: " << stddev(y) << '\n';
    std::cout << "lightest: " << max(y) << '\n';
    r.draw(y);
}
