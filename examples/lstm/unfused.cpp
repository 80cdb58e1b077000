// SPDX-License-Identifier: BSD-3-Clause
//
// Training steps of the language model, unfused.
#include <lstm/instances.hpp>

namespace lstm {

template double net::cost_and_gradient(felt::unfused_t, batch_f const&, vector_f const&, vector_f&);

}  // namespace lstm
