// SPDX-License-Identifier: BSD-3-Clause
//
// The heat equation du/dt = u_xx + u_yy on a square plate whose edges are cold, by Euler's steps.
#include "recipe.hpp"

using felt::all, felt::index_t, felt::range, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(
        argc, argv,
        {.does = "Warms a plate", .size = 1000, .unit = "rows", .least = 4, .draws = true});
    index_t const n = r.size();

    Tensor<float, 2> first({n, n});
    slice(first, range(n / 4, n / 2), range(n / 4, n / 2)) = 1.f;

    auto const steps = [&] {
        Tensor<float, 2> u = first, next = first;
        for (int step = 0; step < 100; ++step) {
            auto const inside = [n](auto& x, index_t i, index_t j) {  // x, moved by (i, j)
                return slice(x, range(1 + i, n - 1 + i), range(1 + j, n - 1 + j));
            };
            auto const around =
                inside(u, -1, 0) + inside(u, 1, 0) + inside(u, 0, -1) + inside(u, 0, 1);
            inside(next, 0, 0) = inside(u, 0, 0) + 0.2f * (around - 4 * inside(u, 0, 0));
            std::swap(u, next);
        }
        return u;
    };
    auto const u = r.best_of(steps);

    std::cout << "heat left: " << sum(u) / sum(first) << '\n';
    std::cout << "in the middle: " << u(n / 2, n / 2) << '\n';
    r.draw(u);
}
