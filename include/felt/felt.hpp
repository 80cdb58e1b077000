// SPDX-License-Identifier: BSD-3-Clause
//
// Felt: fused tensor expressions. Everything for Host.
//
//     felt::Tensor<float, 2> h = sigmoid(matmul(w, x) + b);
#pragma once
// Lowest first, so that an error is one step from here, whichever header its rule stands in.
#include <felt/core/concepts.hpp>
#include <felt/core/refused.hpp>
#include <felt/tensor/view.hpp>
#include <felt/tensor/tensor.hpp>
#include <felt/tensor/print.hpp>
#include <felt/expr/map.hpp>
#include <felt/expr/promote.hpp>
#include <felt/expr/functions.hpp>
#include <felt/expr/bits.hpp>
#include <felt/expr/complex.hpp>
#include <felt/expr/assign.hpp>
#include <felt/expr/fill.hpp>
#include <felt/expr/take_along_axis.hpp>
#include <felt/expr/bincount.hpp>
#include <felt/expr/create.hpp>
#include <felt/expr/views/along.hpp>
#include <felt/expr/views/broadcast.hpp>
#include <felt/expr/views/concat.hpp>
#include <felt/expr/views/diagonal.hpp>
#include <felt/expr/views/flip.hpp>
#include <felt/expr/views/gather.hpp>
#include <felt/expr/views/meshgrid.hpp>
#include <felt/expr/views/pad.hpp>
#include <felt/expr/views/permute.hpp>
#include <felt/expr/views/reshape.hpp>
#include <felt/expr/views/roll.hpp>
#include <felt/expr/views/scatter.hpp>
#include <felt/expr/views/slice.hpp>
#include <felt/expr/views/split.hpp>
#include <felt/expr/views/squeeze.hpp>
#include <felt/expr/views/upsample.hpp>
#include <felt/expr/views/windows.hpp>
#include <felt/expr/sample.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/expr/scan.hpp>
#include <felt/expr/reductions.hpp>
#include <felt/expr/user_monoid.hpp>
#include <felt/expr/statistics.hpp>
#include <felt/expr/nan_reductions.hpp>
#include <felt/expr/norms.hpp>
#include <felt/expr/diff.hpp>
#include <felt/expr/matrices.hpp>
#include <felt/expr/contract.hpp>
#include <felt/expr/products.hpp>
#include <felt/expr/compose.hpp>
#include <felt/expr/losses.hpp>
#include <felt/expr/convolve.hpp>
#include <felt/expr/einsum.hpp>
#include <felt/expr/lower.hpp>
#include <felt/expr/packed.hpp>
#include <felt/expr/pool.hpp>
#include <felt/grad/grad.hpp>
#include <felt/grad/gradient.hpp>
#include <felt/grad/program_plan.hpp>
#include <felt/host/profile.hpp>
#include <felt/host/unfused.hpp>
#include <felt/plan/explain.hpp>
#include <felt/plan/fully_fused.hpp>
#include <felt/host/parallel.hpp>
#include FELT_ENGINE  // what is compiled once: here, or by felt::compiled
