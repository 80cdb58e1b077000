// SPDX-License-Identifier: BSD-3-Clause
//
// A folded view, in pieces that are read in one direction: inside of the source and, outside of it,
// each copy, each mirror image, each repeated edge.
#pragma once
#include <felt/expr/view.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::host::detail {

// The rule `here` that holds at index j of the axis that r follows, and where it ends, `end` at the
// latest; n: the source's extent.
inline index_t piece_at(axis_rule const& r, index_t n, index_t j, index_t end, axis_rule& here) {
    index_t const i = j + r.offset, last = n - 1, begin = -r.offset;
    bool const before = i<0, after = i> last;
    here = {r.out1, -1, 1, 0, r.offset};
    if (r.mode == pad_mode::wrap) {
        here.offset = folded(r.mode, i, n) - j;
        return std::min(end, n - here.offset);
    }
    if (r.mode == pad_mode::reflect && (before || after)) {
        here.stride = -1;
        here.offset = before ? begin : 2 * last + begin;
    } else if (before || after) {
        here.stride = 0;
        here.offset = before ? 0 : last;
    }
    return std::min(end, before ? begin : after ? end : n + begin);
}

}  // namespace felt::inline FELT_ABI::host::detail
