// SPDX-License-Identifier: BSD-3-Clause
//
// --check: FISTA and coordinate descent find the same minimum, in double; and so do other places
// than the host, in float.
#include <fista/convergence.hpp>
#include <fista/coordinates.hpp>
#include <fista/job.hpp>
#include <fista/trainer.hpp>
#include <cstdio>

namespace felt {

extern template double largest_eigenvalue<double>(Tensor<double, 2> const&, double, int);
extern template void fista<double>::step<fused_t>(fused_t);
extern template code_measures fista<double>::measure<fused_t>(fused_t);

}  // namespace felt

namespace {

// Of the objective that the place finds, relative.
double distance_from(double objective, fista::place const& at, fista::matrix_d const& W,
                     fista::matrix_d const& x, double lambda) {
    fista::matrix_f const columns = felt::cast<float>(x);
    auto const by = at.learn({.lambda = lambda, .steps = 3000}, felt::cast<float>(W), columns);
    return std::abs(by->code(columns).objective - objective) / objective;
}

}  // namespace

int fista::check(job const& j) {
    place const& at = support::chosen_place(j.space, host(), device());
    at.threads(j.threads);
    matrix_d const W = 0.25 * felt::normal<double>({16, 30}, 1);
    matrix_d const x = felt::normal<double>({16, 20}, 2);
    double const lambda = 0.3, limit = 1e-6;
    felt::dictionary<double> const d(W);
    felt::fista<double> solver(d, felt::view(x), {.lambda = lambda});
    for (int k = 0; k < 3000; ++k) solver.step();
    double const own = solver.measure().objective;
    solver.start(coordinate_descent(W, x, lambda, 3000));
    double const other = solver.measure().objective;
    double const error = std::abs(own - other) / other;
    for (int k = 0; k < 3000; ++k) solver.step();
    double const conditions = kkt_violation(W, x, solver.codes(), lambda) / lambda;
    std::printf(
        "codes of 20 samples of 16 numbers in 30 atoms, in double\n"
        "objective by FISTA %.12g, by coordinate descent %.12g, apart %.3g, %s %.0e\n"
        "conditions of a minimum hold to %.3g of lambda\n",
        own, other, error, error < limit ? "below" : "NOT BELOW", limit, conditions);
    bool const alike =
        &at == &host() || support::agrees(at, distance_from(own, at, W, x, lambda), 1e-5);
    return error < limit && conditions < 1e-3 && alike ? 0 : 1;
}
