// SPDX-License-Identifier: BSD-3-Clause
//
// Cost and gradient in float, unfused.
#include <ae/instances.hpp>

namespace ae {

template double model<float>::cost_and_gradient(felt::unfused_t, vector_f const&, vector_f&);

}  // namespace ae
