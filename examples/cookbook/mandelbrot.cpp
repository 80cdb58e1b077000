// SPDX-License-Identifier: BSD-3-Clause
//
// The Mandelbrot set: for how many steps z = z^2 + c stays within 2 of 0.
#include "recipe.hpp"

using felt::index_t, felt::Tensor;

// For c = a + b i. Written for numbers, it runs for vectors of them, in registers.
struct escape {
    template <class V>
    V operator()(V a, V b) const {
        V x(0), y(0), steps(0);
        for (int step = 0; step < 50; ++step) {
            auto const near = x * x + y * y <= V(4);
            V const real = x * x - y * y + a, imaginary = V(2) * x * y + b;
            x = felt::math::select(near, real, x);
            y = felt::math::select(near, imaginary, y);
            steps += felt::math::select(near, V(1), V(0));
        }
        return steps;
    }
};

int main(int argc, char** argv) {
    recipe const r(
        argc, argv,
        {.does = "Draws the Mandelbrot set", .size = 1000, .unit = "rows", .draws = true});
    index_t const n = r.size();

    auto const a = felt::linspace<float>(-2, 0.6f, n), b = felt::linspace<float>(-1.3f, 1.3f, n);

    auto const iterated = [&] { return eval(map(escape{}, a, expand_dims<1>(b))); };
    auto const steps = r.best_of(iterated);

    std::cout << "mean of steps: " << mean(steps) << '\n';
    std::cout << "in the set: " << mean(cast<float>(steps == 50.f)) << '\n';
    r.draw(steps / 50);
}
