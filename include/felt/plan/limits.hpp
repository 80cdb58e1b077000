// SPDX-License-Identifier: BSD-3-Clause
//
// What planning and execution have agreed on: limits of memory, and how values lie in scratch.
#pragma once
#include <felt/core/extents.hpp>

namespace felt::planning {

// Scratch of one thread, in bytes, whatever the extents are.
inline constexpr index_t scratch_limit = index_t{2} << 20;

// Values that are computed first and are no larger do not count as intermediates.
inline constexpr index_t uncounted_bytes = scratch_limit / 8;

// Elements of transposed or scattered leaves wait near the first-level cache.
inline constexpr index_t staging_limit = index_t{64} << 10;

// A row of at most so many elements that all others repeat is read as so many elements at most.
inline constexpr index_t repeated_row = 64, repeated_elements = 1024;

// Sums that grow are cut into so many parts at most.
inline constexpr int most_parts = 16;

namespace detail {

inline index_t round_up(index_t n, index_t to) { return (n + to - 1) / to * to; }

// Rows of an operand that is computed lie that far from each other's ends.
inline constexpr index_t row_padding = 16;

// Rows of a product in scratch have room for whole tiles, unless they are so short that most would
// be room: then they are dense, and readers join them.
inline index_t padded_columns(index_t n, index_t tile) {
    constexpr index_t few = 16;
    return n < few ? n : round_up(n, tile);
}

}  // namespace detail

}  // namespace felt::planning
