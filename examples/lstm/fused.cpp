// SPDX-License-Identifier: BSD-3-Clause
//
// Training steps of the language model, fused.
#include <lstm/instances.hpp>

namespace lstm {

template double net::cost_and_gradient(felt::fused_t, batch_f const&, vector_f const&, vector_f&);
template double net::cost_and_gradient(support::summed<felt::Host>, batch_f const&, vector_f const&,
                                       vector_f&);

}  // namespace lstm
