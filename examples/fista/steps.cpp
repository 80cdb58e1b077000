// SPDX-License-Identifier: BSD-3-Clause
//
// Steps in float, fused, and their plan.
#include <fista/instances.hpp>

namespace felt {

template double largest_eigenvalue<float>(Tensor<float, 2> const&, double, int);
template void fista<float>::step<fused_t>(fused_t);
template void fista<float>::step<support::count_bytes>(support::count_bytes);

}  // namespace felt
