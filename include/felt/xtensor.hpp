// SPDX-License-Identifier: BSD-3-Clause
//
// xtensor's arrays in Felt's expressions, and Felt's tensors as xtensor's. Nothing is copied:
//
//   xt::xtensor<float, 2> a;  xt::xarray<float> d;  felt::Tensor<float, 2> y;
//   y = felt::matmul(a, y) + xt::view(a, xt::all(), xt::newaxis(), 0);
//   felt::assign(a, felt::exp(y));            a is a destination; xtensor resizes, Felt does not
//   y = felt::view<2>(d);                     an xarray's rank is not in its type: say it
//   xt::xtensor<float, 2> z = 2.f * felt::to_xtensor(y);
//
// An array with elements in memory is an operand: containers, adaptors, and views of these by
// ranges and indices. `a + a` remains xtensor's own, an expression that Felt does not evaluate.
// .npy files are in felt/npy.hpp.
#pragma once
#include <felt/npy.hpp>
#include <felt/xtensor_arrays.hpp>
