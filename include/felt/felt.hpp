// SPDX-License-Identifier: BSD-3-Clause
//
// Felt: fused tensor expressions. Everything for Host.
//
//     felt::Tensor<float, 2> h = sigmoid(matmul(w, x) + b);
#pragma once
#include <felt/expr/compose.hpp>
#include <felt/expr/einsum.hpp>
#include <felt/expr/lower.hpp>
#include <felt/expr/packed.hpp>
#include <felt/expr/pool.hpp>
#include <felt/expr/views/concat.hpp>
#include <felt/expr/views/flip.hpp>
#include <felt/expr/views/scatter.hpp>
#include <felt/expr/views/pad.hpp>
#include <felt/expr/views/permute.hpp>
#include <felt/expr/views/slice.hpp>
#include <felt/expr/views/upsample.hpp>
#include <felt/expr/views/windows.hpp>
#include <felt/host/unfused.hpp>
#include <felt/plan/explain.hpp>
#include <felt/plan/fully_fused.hpp>
