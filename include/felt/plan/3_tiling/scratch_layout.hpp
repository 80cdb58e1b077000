// SPDX-License-Identifier: BSD-3-Clause
//
// How values lie in scratch: what planning and execution have agreed on.
#pragma once
#include <felt/plan/constants.hpp>

namespace felt::inline FELT_ABI::planning {

namespace detail {

inline index_t round_up(index_t n, index_t to) { return (n + to - 1) / to * to; }

// Rows of a product in scratch have room for whole tiles, unless they are so short that most would
// be room: then they are dense, and readers join them.
inline index_t padded_columns(index_t n, index_t tile) {
    return n < full_lanes ? n : round_up(n, tile);
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI::planning
