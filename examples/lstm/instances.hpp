// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of the model in float, compiled in files of their own so that they compile side by
// side.
#pragma once
#include <lstm/model.hpp>
#include <support/compare.hpp>

namespace lstm {

using net = model<float>;
using vector_f = net::vector;
using batch_f = batch<felt::Host>;

extern template class model<float>;
extern template double net::cost_and_gradient(felt::fused_t, batch_f const&, vector_f const&,
                                              vector_f&);
extern template double net::cost_and_gradient(felt::unfused_t, batch_f const&, vector_f const&,
                                              vector_f&);
extern template double net::cost_and_gradient(support::count_bytes, batch_f const&, vector_f const&,
                                              vector_f&);
extern template double net::cost(felt::fused_t, batch_f const&, vector_f const&);
extern template double net::cost(felt::unfused_t, batch_f const&, vector_f const&);
extern template double net::cost(support::count_bytes, batch_f const&, vector_f const&);

}  // namespace lstm
