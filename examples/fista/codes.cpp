// SPDX-License-Identifier: BSD-3-Clause
//
// The codes of a round in float.
#include <fista/learn.hpp>

namespace fista {

template felt::code_measures learner<float>::code(felt::fused_t, matrix_f const&, solves const&,
                                                  felt::communicator&);

}  // namespace fista
