// SPDX-License-Identifier: BSD-3-Clause
//
// Principal components: the directions in which the samples differ most.
#include "recipe.hpp"
#include <felt/linalg.hpp>

using felt::index_t, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(
        argc, argv,
        {.does = "Finds principal components", .size = 50000, .unit = "samples", .least = 2});
    index_t const n = r.size(), d = 64, k = 3;

    auto const scale = Tensor<float, 1>::of({5, 3, 2});
    Tensor<float, 2> const x =
        matmul(felt::normal<float>({n, k}, 1) * scale, felt::normal<float>({k, d}, 2)) +
        felt::normal<float>({n, d}, 3);

    auto const components = [&] {
        auto const [values, vectors] = eigh(eval(cov(transpose(x))));
        auto const first = slice(flip<1>(vectors), felt::all(), felt::until(k));
        return std::pair(eval(slice(flip<0>(values), felt::until(k)) / sum(values)),
                         eval(matmul(x - mean<0>(x), first)));
    };
    auto const [share, y] = r.best_of(components);

    for (index_t i = 0; i < k; ++i) {
        std::cout << "component " << i + 1 << ": " << 100 * share(i)
                  << " % of the variance, at most " << max(abs(slice(y, felt::all(), i))) << '\n';
    }
}
