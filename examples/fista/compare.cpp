// SPDX-License-Identifier: BSD-3-Clause
//
// What fusion is worth: a step of FISTA, fused and unfused, and by blocks of columns.
#include <fista/report.hpp>
#include <iostream>

namespace fista {

namespace {

// Of a step on all samples, when a block stays in cache for a hundred.
double step_by_columns(felt::dictionary<float> const& d, matrix_f const& x, double lambda,
                       index_t width) {
    constexpr int steps = 100;
    double best = 1e30;
    index_t const blocks = x.extent(1) / width;
    matrix_f const block = slice(x, felt::all(), felt::range(0, width));
    felt::fista<float> solver(d, felt::view(block), {.lambda = lambda});
    support::stopwatch const all;
    do {
        support::stopwatch const watch;
        for (int k = 0; k < steps; ++k) solver.step();
        best = std::min(best, watch.seconds() / steps);
    } while (all.seconds() < 0.5);
    return best * static_cast<double>(blocks);
}

}  // namespace

bool report_comparison(matrix_f const& W, matrix_f const& x, double lambda, index_t columns,
                       std::ostream& out) {
    felt::dictionary<float> const d(W);
    felt::fista<float> a(d, felt::view(x), {.lambda = lambda}), b = a;
    for (int k = 0; k < 10; ++k) a.step(felt::fused), b.step(felt::unfused);
    float const apart = norm2(a.codes() - b.codes()), size = norm2(b.codes());
    if (!(apart <= 1e-4f * size)) {
        out << "fused and unfused differ by " << apart / size << ": not timed\n\n";
        return false;
    }
    auto const c = support::compare([&] { a.step(felt::fused); }, [&] { b.step(felt::unfused); },
                                    [&](support::count_bytes to) { a.step(to); }, 2);
    support::table t = support::comparison_table("per step of " + std::to_string(x.extent(1)));
    support::add_rows(t, c);
    index_t const width = std::min(columns > 0 ? columns : 512, x.extent(1));
    double const blocked = step_by_columns(d, x, lambda, width) * static_cast<double>(x.extent(1)) /
                           static_cast<double>(x.extent(1) / width * width);
    t.row({"fused, by " + std::to_string(width) + " columns", "",
           support::three_digits(1e3 * blocked)});
    t.row({"unfused / fused by columns", "", support::three_digits(c.unfused.best() / blocked)});
    t.print(out);
    out << "\n";
    return true;
}

}  // namespace fista
