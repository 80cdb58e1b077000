// SPDX-License-Identifier: BSD-3-Clause
//
// A round of learning in float.
#include <fista/learn.hpp>

namespace fista {

void round(learning_run<float>& r, matrix_f const& x) { r.round(felt::fused, x, host_solver{}); }

felt::code_measures code(learning_run<float>& r, matrix_f const& x) {
    return r.learner.code(felt::fused, x, host_solver{});
}

void update(learning_run<float>& r, matrix_f const& x) {
    r.learner.update(felt::fused, x, host_solver{}, r.rounds());
}

}  // namespace fista
