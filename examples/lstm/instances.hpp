// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of the model, compiled in files of their own so that they compile side by
// side.
#pragma once
#include <lstm/net.hpp>
#include <support/compare.hpp>
#include <support/step_sum.hpp>

namespace lstm {

extern template class model<float>;
extern template double net::cost_and_gradient(felt::fused_t, batch_f const&, vector_f const&,
                                              vector_f&);
extern template double net::cost_and_gradient(support::summed<felt::Host>, batch_f const&,
                                              vector_f const&, vector_f&);
extern template double net::cost_and_gradient(felt::unfused_t, batch_f const&, vector_f const&,
                                              vector_f&);
extern template double net::cost_and_gradient(support::count_bytes, batch_f const&, vector_f const&,
                                              vector_f&);
extern template double net::cost(felt::fused_t, batch_f const&, vector_f const&);
extern template double net::cost(felt::unfused_t, batch_f const&, vector_f const&);
extern template double net::cost(support::count_bytes, batch_f const&, vector_f const&);

}  // namespace lstm
