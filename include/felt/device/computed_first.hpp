// SPDX-License-Identifier: BSD-3-Clause
//
// What a node's type says of where it is computed: with its reader, or before it, into memory of
// its own. The plan has it as plain data (plan.hpp).
#pragma once
#include <felt/device/window.hpp>

namespace felt::inline FELT_ABI::device {

// Whether N takes a launch of its own: what waits for its operands, but reductions over small
// windows.
template <class N>
inline constexpr bool never_streams = trait_of_node<N>.waits != nullptr && !is_window_fold<N>;

// Whether N has a tensor of its own in an unfused run: all but what only moves elements.
template <class N>
inline constexpr bool has_own_tensor = !has_no_operands<N> && !trait_of_node<N>.is_view;

template <class How, class N>
inline constexpr bool is_computed_first =
    std::is_same_v<How, unfused_t> ? has_own_tensor<N> : never_streams<N>;

}  // namespace felt::inline FELT_ABI::device
