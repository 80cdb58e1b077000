// SPDX-License-Identifier: BSD-3-Clause
//
// bincount(labels, n)[j] = how many labels are j: ones, scattered to their labels.
#pragma once
#include <felt/expr/fill.hpp>
#include <felt/expr/views/reshape.hpp>
#include <felt/expr/views/scatter.hpp>

namespace felt::inline FELT_ABI {

// Labels are 0 .. n-1, of any rank; another throws shape_error before anything is written.
template <array_operand I>
    requires gather_indices_are_integers<I>
auto bincount(I&& labels, extent_arg n) {
    auto const e = checked_extents("bincount", extents<1>{{n.value}});
    auto at = flatten(std::forward<I>(labels));
    auto const ones = full(shape_of(at), index_t{1});
    return scatter_add<0>(e, std::move(at), ones);
}

}  // namespace felt::inline FELT_ABI
