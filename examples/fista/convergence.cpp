// SPDX-License-Identifier: BSD-3-Clause
#include <fista/convergence.hpp>

namespace felt {

extern template double largest_eigenvalue<double>(Tensor<double, 2> const&, double, int);
extern template void fista<double>::step<fused_t>(fused_t);
extern template code_measures fista<double>::step_and_measure<fused_t>(fused_t);
extern template code_measures fista<double>::measure<fused_t>(fused_t);

}  // namespace felt

namespace fista {

convergence converge(matrix_d const& W, matrix_d const& x, double lambda, int steps, int long_run) {
    felt::dictionary<double> const d(W);
    felt::fista<double> best(d, felt::view(x), {.lambda = lambda});
    felt::fista<double> slow(d, felt::view(x), {.lambda = lambda, .momentum = false});
    felt::fista<double> fast(d, felt::view(x), {.lambda = lambda});
    for (int k = 0; k < long_run; ++k) best.step();
    auto const end = best.measure();
    convergence c{end.objective, end.gap, {}, {}, {}, {}, {}};
    double const far = double(sum(square(best.codes()))), L = d.largest;
    for (int i = 1; i <= steps; ++i) {
        double const k = i;
        c.k.push_back(k);
        c.ista.push_back(slow.step_and_measure().objective);
        c.fista.push_back(fast.step_and_measure().objective);
        c.ista_bound.push_back(L * far / (2 * k));
        c.fista_bound.push_back(2 * L * far / ((k + 1) * (k + 1)));
    }
    return c;
}

}  // namespace fista
