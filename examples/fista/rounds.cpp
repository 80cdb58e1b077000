// SPDX-License-Identifier: BSD-3-Clause
//
// A round of learning in float.
#include <fista/learn.hpp>

namespace fista {

extern template felt::code_measures learner<float>::code(felt::fused_t, matrix_f const&,
                                                         host_solver const&);  // codes.cpp

void round(learning_run<float>& r, matrix_f const& x) { r.round(felt::fused, x, host_solver{}); }

void update(learning_run<float>& r, matrix_f const& x) {
    r.learner.update(felt::fused, x, host_solver{}, r.rounds());
}

}  // namespace fista
