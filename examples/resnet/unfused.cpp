// SPDX-License-Identifier: BSD-3-Clause
//
// Training steps, unfused.
#include <resnet/instances.hpp>

namespace resnet {

template struct steps<felt::Host, felt::unfused_t>;

}  // namespace resnet
