// SPDX-License-Identifier: BSD-3-Clause
//
// Where element (i, j, ...) of a tensor lies: strides in elements, from extents.
#pragma once
#include <felt/core/extents.hpp>

namespace felt {

namespace detail {
// Strides that store the axes order[0] (outermost) .. order[R-1] (innermost) without gaps.
template <std::size_t R>
FELT_FN extents<R> packed_strides(extents<R> const& e, std::size_t const (&order)[R]) {
    extents<R> s;
    index_t step = 1;
    for (std::size_t r = R; r-- > 0;) {
        s[order[r]] = step;
        step *= e[order[r]];
    }
    return s;
}
}  // namespace detail

// C order: the last axis is contiguous.
struct RowMajor {
    template <std::size_t R>
    static FELT_FN extents<R> strides(extents<R> const& e) {
        extents<R> s;
        index_t step = 1;
        for (std::size_t r = R; r-- > 0; step *= e[r]) s[r] = step;
        return s;
    }
};

// Fortran and MATLAB order: the first axis is contiguous.
struct ColMajor {
    template <std::size_t R>
    static FELT_FN extents<R> strides(extents<R> const& e) {
        extents<R> s;
        index_t step = 1;
        for (std::size_t r = 0; r != R; step *= e[r], ++r) s[r] = step;
        return s;
    }
};

// Logical N, C, H, W stored N, H, W, C.
struct ChannelsLast {
    static FELT_FN extents<4> strides(extents<4> const& e) {
        std::size_t const order[4] = {0, 2, 3, 1};
        return detail::packed_strides(e, order);
    }
};

}  // namespace felt
