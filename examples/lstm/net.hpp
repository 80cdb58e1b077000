// SPDX-License-Identifier: BSD-3-Clause
//
// The model as it is trained: in float, on the host.
#pragma once
#include <lstm/model.hpp>

namespace lstm {

using net = model<float>;
using vector_f = net::vector;
using batch_f = batch<felt::Host>;

}  // namespace lstm
