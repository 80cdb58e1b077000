// SPDX-License-Identifier: BSD-3-Clause
//
// The operands of the wrong lines in this folder.
#pragma once
#include <felt/felt.hpp>
#include <string>
#include <vector>

// Memory that the host does not reach element by element.
struct Elsewhere {
    static constexpr bool element_access = false;
};

inline felt::Tensor<float, 1> v;
inline felt::Tensor<float, 2> a, b;
inline felt::Tensor<float, 3> c;
inline felt::Tensor<double, 2> d;
inline felt::Tensor<int, 1> i;
inline felt::Tensor<float, 2, Elsewhere> far;
inline felt::Tensor<float, 2> const constant;
