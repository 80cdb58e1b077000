// SPDX-License-Identifier: BSD-3-Clause
//
// How fast ISTA and FISTA come down to the minimum F*, from 0, beside what is proven of them:
//
//   ISTA   F(s_k) - F* <= L |s*|^2 / (2 k)        FISTA   F(s_k) - F* <= 2 L |s*|^2 / (k + 1)^2
//
// In double, as differences of objectives vanish in float.
#pragma once
#include <felt/nn/fista.hpp>
#include <vector>

namespace fista {

struct convergence {
    double least = 0, gap = 0;                    // F*, and how far above the minimum it may be
    std::vector<double> k;                        // 1, 2, ...
    std::vector<double> ista, fista;              // F(s_k)
    std::vector<double> ista_bound, fista_bound;  // of F(s_k) - F*
};

using matrix_d = felt::Tensor<double, 2>;

// F* is what `long_run` steps of FISTA reach.
convergence converge(matrix_d const& W, matrix_d const& x, double lambda, int steps,
                     int long_run);  // convergence.cpp

}  // namespace fista
