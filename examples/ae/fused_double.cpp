// SPDX-License-Identifier: BSD-3-Clause
//
// The start, and fused cost and gradient, in double.
#include <ae/instances.hpp>

namespace ae {

template vector_d initial_parameters<double>(shape const&, std::uint64_t);
template double model<double>::cost_and_gradient(felt::fused_t, vector_d const&, vector_d&);

}  // namespace ae
