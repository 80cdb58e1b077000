// SPDX-License-Identifier: BSD-3-Clause
//
// Where element (i, j, ...) of a tensor lies: strides in elements, from extents, and how many
// elements of memory all of them take. A layout of one's own may leave gaps between elements, and
// says by required_span_size what memory they need; else it ends with the last element.
#pragma once
#include <felt/core/extents.hpp>

namespace felt::inline FELT_ABI {

namespace detail {
[[noreturn]] FELT_PLANNING inline void layout_fails(index_t const* stride, index_t const* e,
                                                    std::size_t rank, index_t span) {
    throw shape_error("layout: strides " + to_string(stride, rank) + " of " + to_string(e, rank) +
                      " lead out of the " + std::to_string(span) + " elements of its memory");
}

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
    template <std::size_t R>
    static FELT_FN index_t required_span_size(extents<R> const& e) {
        return e.size();
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
    template <std::size_t R>
    static FELT_FN index_t required_span_size(extents<R> const& e) {
        return e.size();
    }
};

// Logical N, C, H, W stored N, H, W, C.
struct ChannelsLast {
    static FELT_FN extents<4> strides(extents<4> const& e) {
        std::size_t const order[4] = {0, 2, 3, 1};
        return detail::packed_strides(e, order);
    }
    static FELT_FN index_t required_span_size(extents<4> const& e) { return e.size(); }
};

namespace detail {
// From the first element to the last, which lies at the end of all axes.
template <std::size_t R>
FELT_FN index_t span_of(extents<R> const& e, extents<R> const& stride) {
    index_t last = 0;
    for (std::size_t r = 0; r != R; ++r) last += (e[r] - 1) * stride[r];
    return e.size() == 0 ? 0 : last + 1;
}
}  // namespace detail

namespace detail {
// Whether the elements lie side by side from the first on, in some order of the axes.
inline bool lies_packed(index_t const* e, index_t const* stride, std::size_t rank) {
    bool seen[max_rank] = {};
    index_t step = 1;
    for (std::size_t n = 0; n < rank; ++n) {
        if (e[n] == 0) return true;
    }
    for (std::size_t n = 0; n < rank;) {
        std::size_t r = n;  // the first axis that was not seen
        while (r < rank && (seen[r] || (e[r] != 1 && stride[r] != step))) ++r;
        if (r == rank) return false;
        seen[r] = true;
        step *= e[r];
        while (n < rank && seen[n]) ++n;
    }
    return true;
}

// For what is said of a range of elements. Throws shape_error where there are gaps between them.
inline void expect_packed(index_t const* e, index_t const* stride, std::size_t rank) {
    if (lies_packed(e, stride, rank)) return;
    throw shape_error("begin: the elements of " + to_string(e, rank) + " with strides " +
                      to_string(stride, rank) + " do not lie side by side");
}
}  // namespace detail

// The elements of memory that a tensor takes. Throws shape_error if its last one would lie outside.
template <class Layout, std::size_t R>
index_t span_size(extents<R> const& e) {
    auto const stride = Layout::strides(e);
    index_t const least = detail::span_of(e, stride);
    index_t span = least;
    if constexpr (requires { Layout::required_span_size(e); }) span = Layout::required_span_size(e);
    bool inside = span >= least;
    for (std::size_t r = 0; r != R; ++r) inside = inside && (stride[r] >= 0 || e[r] < 2);
    if (!inside) apart<&detail::layout_fails>::call(stride.value, e.value, R, span);
    return span;
}

}  // namespace felt::inline FELT_ABI
