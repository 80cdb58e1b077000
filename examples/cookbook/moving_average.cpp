// SPDX-License-Identifier: BSD-3-Clause
//
// A time series with gaps: moving averages, how often it crosses them, and its largest fall.
#include "recipe.hpp"
#include <limits>

using felt::from, felt::index_t, felt::Tensor, felt::until;

int main(int argc, char** argv) {
    recipe const r(argc, argv,
                   {.does = "Smooths a series", .size = 1000000, .unit = "values", .least = 52});
    index_t const n = r.size(), width = 50;
    double const infinity = std::numeric_limits<double>::infinity();

    auto const gap = felt::uniform<float>({n}, 1) < 0.01f;
    auto const walk = cumsum(cast<double>(felt::normal<float>({n}, 2)));
    Tensor<double, 1> const x =
        where(gap, std::numeric_limits<double>::quiet_NaN(), 100 + 0.01 * walk);

    auto const smoothed = [&] {
        Tensor<double, 1> const total = cumsum(nan_to_num(x));
        Tensor<index_t, 1> const count = cumsum(!isnan(x));
        auto const window = [=](auto const& sums) {
            return slice(sums, from(width)) - slice(sums, until(-width));
        };
        Tensor<double, 1> average = window(total) / cast<double>(window(count));
        Tensor<bool, 1> const above = slice(x, from(width)) > average;
        index_t const crossings = count_nonzero(slice(above, from(1)) != slice(above, until(-1)));
        double const fall = nanmax(cummax(nan_to_num(x, -infinity)) - x);
        return std::tuple(average, crossings, fall);
    };
    auto const [average, crossings, fall] = r.best_of(smoothed);

    std::cout << "mean: " << nanmean(x) << ", of averages: " << mean(average) << '\n';
    std::cout << "crossings: " << crossings << '\n';
    std::cout << "largest fall: " << fall << '\n';
}
