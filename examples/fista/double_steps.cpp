// SPDX-License-Identifier: BSD-3-Clause
//
// Steps in double.
#include <felt/nn/fista.hpp>

namespace felt {

template double largest_eigenvalue<double>(Tensor<double, 2> const&, double, int);
template void fista<double>::step<fused_t>(fused_t);
template code_measures fista<double>::step_and_measure<fused_t>(fused_t);
template code_measures fista<double>::measure<fused_t>(fused_t);

}  // namespace felt
