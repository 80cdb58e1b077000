// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies that attract each other: a_i = sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + e)^(3/2), in steps
// of the symplectic Euler method. No array of all pairs is written.
#include "recipe.hpp"

using felt::index_t, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv, {.does = "Moves bodies", .size = 1000, .unit = "bodies"});
    index_t const n = r.size();
    float const softening = 0.01f, dt = 0.01f;

    Tensor<float, 2> const first = felt::normal<float>({3, n}, 1);
    Tensor<float, 1> const m = (0.5f + felt::uniform<float>({n}, 2)) / float(n);

    auto const steps = [&] {
        Tensor<float, 2> x = first, v({3, n});
        for (int step = 0; step < 10; ++step) {
            auto const d = expand_dims<1>(x) - expand_dims<2>(x);  // d(c, i, j): from i to j
            auto const s = sum<0>(square(d)) + softening;
            v += dt * sum<2>(d * (m / (s * sqrt(s))));
            x += dt * v;
        }
        return std::pair(x, v);
    };
    auto const [x, v] = r.best_of(steps);

    std::cout << "kinetic energy: " << sum(m * sum<0>(square(v))) / 2 << '\n';
    std::cout << "largest distance: " << max(norm<0>(x)) << '\n';
}
