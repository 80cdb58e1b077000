// SPDX-License-Identifier: BSD-3-Clause
//
// Linear algebra on Eigen, by the names of the Array API's linalg extension:
//
//     felt::Tensor<double, 2> x = felt::solve(a, b);
//     auto const [values, vectors] = felt::eigh(a);
//     felt::Tensor<double, 2> const r = felt::qr(a).r;
//
// Operands are tensors, views or expressions of rank 2 or more on the host; axes before the last
// two count matrices, and broadcast. Memory is read where it lies, by any strides; an expression is
// evaluated first, integers as double. Results are new tensors, computed at once: they are not part
// of a fused statement, and never alias their operands. What is one number for each matrix is a
// number for one matrix and a tensor for several.
//
// Extents that do not fit throw shape_error; a matrix that is singular, not positive definite or
// not finite where it must be throws linalg_error. Both name the function and the extents.
#pragma once
#include <felt/linalg_factors.hpp>
#include <felt/linalg_least.hpp>
#include <felt/linalg_matrices.hpp>
#include <felt/linalg_solve.hpp>
