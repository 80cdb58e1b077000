// SPDX-License-Identifier: BSD-3-Clause
//
// Sorting, searching and selecting, by the names of the Array API, NumPy and PyTorch:
//
//     felt::Tensor<float, 2> const y = felt::sort<0>(x);
//     auto const [values, indices] = felt::topk<-1>(exp(x), 5);
//     felt::Tensor<float, 1> const some = felt::masked_select(x, x > 0);
//
// Operands are tensors, views or expressions on the host. Results are new tensors, computed at
// once: their order, or their size, depends on the values, so nothing of them is fused with what
// follows. NaN counts as the largest number.
#pragma once
#include <felt/sorting_order.hpp>
#include <felt/sorting_quantile.hpp>
#include <felt/sorting_search.hpp>
#include <felt/sorting_select.hpp>
#include <felt/sorting_unique.hpp>
