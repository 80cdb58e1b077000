// SPDX-License-Identifier: BSD-3-Clause
//
// Forward passes with what ran, fused and unfused.
#include <resnet/instances.hpp>

namespace resnet {

template struct passes<felt::Host, felt::fused_t>;
template struct passes<felt::Host, felt::unfused_t>;

}  // namespace resnet
