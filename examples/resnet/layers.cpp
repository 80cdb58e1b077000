// SPDX-License-Identifier: BSD-3-Clause
//
// The layers of a network, both ways.
#include <resnet/instances.hpp>

namespace resnet {

template nn::basic_net<float> network(shape const&);

}  // namespace resnet
