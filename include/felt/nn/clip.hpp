// SPDX-License-Identifier: BSD-3-Clause
//
// Clipping by the global norm (Pascanu, Mikolov and Bengio, "On the difficulty of training
// recurrent neural networks", 2013): a gradient longer than `limit` is made that long.
#pragma once
#include <felt/felt.hpp>

namespace felt::inline FELT_ABI {

// The norm as it was; over all parameters, if they are one vector.
template <class T, class Space>
double clip_by_norm(Tensor<T, 1, Space>& gradient, double limit) {
    auto const norm = static_cast<double>(T(norm2(gradient)));
    if (norm > limit) gradient *= static_cast<T>(limit / norm);
    return norm;
}

}  // namespace felt::inline FELT_ABI
