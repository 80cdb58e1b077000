// SPDX-License-Identifier: BSD-3-Clause
//
// Forward passes of the language model, and the bytes of all its passes.
#include <lstm/instances.hpp>

namespace lstm {

template class model<float>;
template double net::cost(felt::fused_t, batch_f const&, vector_f const&);
template double net::cost(felt::unfused_t, batch_f const&, vector_f const&);
template double net::cost(support::count_bytes, batch_f const&, vector_f const&);
template double net::cost_and_gradient(support::count_bytes, batch_f const&, vector_f const&,
                                       vector_f&);

}  // namespace lstm
