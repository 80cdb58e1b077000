// SPDX-License-Identifier: BSD-3-Clause
//
// The start, and fused cost and gradient, in float.
#include <ae/instances.hpp>

namespace ae {

template vector_f initial_parameters<float>(shape const&, std::uint64_t);
template double model<float>::cost_and_gradient(count_bytes, vector_f const&, vector_f&);
template double model<float>::cost_and_gradient(felt::fused_t, vector_f const&, vector_f&);
template double model<float>::cost_and_gradient(support::summed<felt::Host>, vector_f const&,
                                                vector_f&);
template double model<float>::cost_and_gradient(support::laps, vector_f const&, vector_f&);

}  // namespace ae
