// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of training, each compiled in a file of its own so that they compile side by side.
#pragma once
#include <ae/trainer.hpp>

namespace ae {

extern template vector_f initial_parameters<float>(shape const&, std::uint64_t);
extern template double model<float>::cost_and_gradient(felt::fused_t, vector_f const&, vector_f&);
extern template double model<float>::cost_and_gradient(support::summed<felt::Host>, vector_f const&,
                                                       vector_f&);
extern template double model<float>::cost_and_gradient(felt::unfused_t, vector_f const&, vector_f&);
extern template double model<float>::cost_and_gradient(count_bytes, vector_f const&, vector_f&);
extern template double model<float>::cost_and_gradient(support::laps, vector_f const&, vector_f&);

}  // namespace ae
