// SPDX-License-Identifier: BSD-3-Clause
//
// What fusion is worth: a step of FISTA, fused and unfused, and by blocks of columns.
#pragma once
#include <felt/nn/fista.hpp>
#include <support/compare.hpp>

namespace fista {

using felt::index_t;

struct contest {
    double apart = 0;  // of the codes after ten steps, relative
    support::comparison steps = {};
    index_t width = 0;   // of a block,
    double blocked = 0;  // and seconds of a step when blocks stay in cache for a hundred
};

// Of a step on all samples, by blocks.
template <class T, class Space>
double step_by_columns(felt::dictionary<T, Space> const& d, felt::Tensor<T, 2, Space> const& x,
                       double lambda, index_t width) {
    constexpr int steps = 100;
    double best = 1e30;
    felt::Tensor<T, 2, Space> const block = slice(x, felt::all(), felt::range(0, width));
    felt::fista<T, Space> solver(d, felt::view(block), {.lambda = lambda});
    support::stopwatch const all;
    do {
        support::space_watch<Space> const watch;
        for (int k = 0; k < steps; ++k) solver.step();
        best = std::min(best, watch.seconds() / steps);
    } while (all.seconds() < 0.5);
    return best * static_cast<double>(x.extent(1)) / static_cast<double>(width);
}

// Nothing is timed if the codes are apart.
template <class T, class Space>
contest compare_steps(felt::Tensor<T, 2, Space> const& W, felt::Tensor<T, 2, Space> const& x,
                      double lambda, index_t columns) {
    contest c;
    felt::dictionary<T, Space> const d(W);
    felt::fista<T, Space> a(d, felt::view(x), {.lambda = lambda}), b = a;
    for (int k = 0; k < 10; ++k) a.step(felt::fused), b.step(felt::unfused);
    T const apart = norm2(a.codes() - b.codes()), size = norm2(b.codes());
    c.apart = static_cast<double>(apart / size);
    if (!(c.apart <= 1e-4)) return c;
    c.steps =
        support::compare_in<Space>([&] { a.step(felt::fused); }, [&] { b.step(felt::unfused); },
                                   [&](auto to) { a.step(to); }, 2);
    c.width = std::min<index_t>(columns > 0 ? columns : 512, x.extent(1));
    c.blocked = step_by_columns(d, x, lambda, c.width);
    return c;
}

}  // namespace fista
