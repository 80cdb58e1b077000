// SPDX-License-Identifier: BSD-3-Clause
//
// Training steps, fused.
#include <resnet/instances.hpp>

namespace resnet {

template struct steps<felt::Host, felt::fused_t>;

}  // namespace resnet
