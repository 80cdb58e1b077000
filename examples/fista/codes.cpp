// SPDX-License-Identifier: BSD-3-Clause
//
// The codes of a round in float.
#include <fista/learn.hpp>

namespace fista {

template felt::code_measures learner<float>::code(felt::fused_t, matrix_f const&,
                                                  host_solver const&);

felt::code_measures code(learning_run<float>& r, matrix_f const& x) {
    return r.learner.code(felt::fused, x, host_solver{});
}

}  // namespace fista
