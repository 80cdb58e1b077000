// SPDX-License-Identifier: BSD-3-Clause
//
// Steps in float that measure, fused.
#include <fista/instances.hpp>

namespace felt {

template double default_lambda<float>(Tensor<float, 2> const&, Tensor<float, 2> const&, scaling);
template double fista<float>::step_and_count<fused_t>(fused_t);
template code_measures fista<float>::step_and_measure<fused_t>(fused_t);
template code_measures fista<float>::measure<fused_t>(fused_t);

}  // namespace felt
