// SPDX-License-Identifier: BSD-3-Clause
//
// The price of an Asian option: the mean, over random paths of Black and Scholes, of what the
// average price of a year is above the strike. No path is written.
#include "recipe.hpp"
#include <cmath>

using felt::index_t, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv, {.does = "Prices an option", .size = 20000, .unit = "paths"});
    index_t const n = r.size(), days = 252;
    float const start = 100, strike = 105, rate = 0.03f, volatility = 0.2f, day = 1.f / 252;

    // It could stand in the expression below, and not be written either; NumPy shall have the same.
    Tensor<float, 2> const z = felt::normal<float>({n, days}, 1);

    auto const discounted = [&] {
        float const drift = (rate - volatility * volatility / 2) * day;
        auto const path = start * exp(cumsum<1>(drift + volatility * std::sqrt(day) * z));
        return eval(std::exp(-rate) * maximum(mean<1>(path) - strike, 0));
    };
    auto const payoff = r.best_of(discounted);

    std::cout << "price: " << mean(payoff) << '\n';
    std::cout << "error: " << stddev(payoff, {.ddof = 1}) / std::sqrt(float(n)) << '\n';
}
