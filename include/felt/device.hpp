// SPDX-License-Identifier: BSD-3-Clause
//
// Felt with Device: the same expressions on a GPU by Thrust and CUDA, where nvcc compiles them; by
// Thrust over OpenMP, TBB or plain C++ where a host compiler does.
//
//     felt::Tensor<float, 2, felt::Device> d = felt::to<felt::Device>(w);
//     d = sigmoid(d) - mean<1>(d, felt::keepdims);
//     w = felt::to<felt::Host>(d);
#pragma once
#include <felt/device/explain.hpp>
#include <felt/felt.hpp>
