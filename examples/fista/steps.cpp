// SPDX-License-Identifier: BSD-3-Clause
//
// Steps in float, fused, and their plan; and blocks of columns.
#include <fista/instances.hpp>

namespace felt {

template void fista<float>::step<fused_t>(fused_t);
template void fista<float>::step<support::count_bytes>(support::count_bytes);
template code_measures solve_by_columns<float>(dictionary<float> const&, Tensor<float, 2> const&,
                                               Tensor<float, 2>&, fista_options const&, int,
                                               index_t, fused_t);

}  // namespace felt
