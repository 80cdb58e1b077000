// SPDX-License-Identifier: BSD-3-Clause
//
// A product of a block-diagonal operand (plan/1_analysis/block_diagonal.hpp), block by block: only
// what lies in one is multiplied.
#pragma once
#include <felt/plan/box.hpp>
#include <felt/plan/1_analysis/block_diagonal.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::host {

using planning::box;

// Calls f(part) for the blocks of b: one index of the shared label, and those that it meets.
template <class F>
void for_each_group(planning::block_diagonal const& d, box const& b, F&& f) {
    if (!d.any()) {
        f(b);
        return;
    }
    box part = b;
    index_t const lo = std::max(b.lo[d.term], b.lo[d.of] / d.each);
    index_t const hi = std::min(b.hi[d.term], (b.hi[d.of] - 1) / d.each + 1);
    for (index_t g = lo; g < hi; ++g) {
        part.lo[d.term] = g;
        part.hi[d.term] = g + 1;
        part.lo[d.of] = std::max(b.lo[d.of], g * d.each);
        part.hi[d.of] = std::min(b.hi[d.of], (g + 1) * d.each);
        f(part);
    }
}

// Whether the blocks of b have all of its indices: those outside have no terms.
inline bool groups_cover(planning::block_diagonal const& d, box const& b) {
    return !d.any() || (b.lo[d.term] * d.each <= b.lo[d.of] && b.hi[d.of] <= b.hi[d.term] * d.each);
}

}  // namespace felt::inline FELT_ABI::host
