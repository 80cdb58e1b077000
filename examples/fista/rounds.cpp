// SPDX-License-Identifier: BSD-3-Clause
//
// The dictionary of a round in float, and its solves: Eigen takes as long to compile as the rest.
#include <fista/learn.hpp>
#include <fista/solve.hpp>

namespace fista {

template void learner<float>::update(felt::fused_t, matrix_f const&, solves const&, index_t,
                                     felt::communicator&);

std::vector<index_t> solves::dictionary(matrix_f const& A, matrix_f const& B, double ridge,
                                        matrix_f& W) const {
    return host_solver{}.dictionary(A, B, ridge, W);
}
void solves::pseudo_inverse(matrix_f const& W, matrix_f& P) const {
    host_solver{}.pseudo_inverse(W, P);
}

}  // namespace fista
