// SPDX-License-Identifier: BSD-3-Clause
//
// Residual networks, as examples/resnet has them.
#pragma once
#include <resnet/network.hpp>

namespace networks {

using resnet::conv_norm;

// On 224 x 224; the stride of a block is on its 3 x 3, as in Torch.
template <class Net = felt::nn::net>
Net resnet50() {
    return resnet::network<Net>(resnet::resnet50());
}

// Of 6 n + 2 layers on 32 x 32; where channels become more, the shortcut has zeros for them.
template <class Net = felt::nn::net>
Net resnet_cifar(int layers) {
    return resnet::network<Net>(resnet::cifar(layers));
}

}  // namespace networks
