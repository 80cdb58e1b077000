// SPDX-License-Identifier: BSD-3-Clause
//
// What a node's type says of where it is computed: with its reader, or before it, into memory of
// its own. The plan has it as plain data (plan.hpp).
#pragma once
#include <felt/device/window.hpp>

namespace felt::device {

// Whether N takes a launch of its own: reductions but those over small windows, scans, scatter_add,
// products.
template <class N>
inline constexpr bool never_streams = false;
template <class M, unsigned Mask, class X>
inline constexpr bool never_streams<reduce_node<M, Mask, X>> =
    !is_window_fold<reduce_node<M, Mask, X>>;
template <class X, class I>
inline constexpr bool never_streams<scatter_node<X, I>> = true;
template <class F, int A, class X>
inline constexpr bool never_streams<scan_node<F, A, X>> = true;
template <class A, class B, std::size_t R, std::size_t S>
inline constexpr bool never_streams<contract_node<A, B, R, S>> = true;

// Whether N has a tensor of its own in an unfused run: all but what only moves elements.
template <class N>
inline constexpr bool has_own_tensor = !has_no_operands<N>;
template <view_kind K, class X, std::size_t R>
inline constexpr bool has_own_tensor<view_node<K, X, R>> = false;
template <class X, std::size_t R>
inline constexpr bool has_own_tensor<reshape_node<X, R>> = false;
template <class X>
inline constexpr bool has_own_tensor<once_node<X>> = false;

template <class How, class N>
inline constexpr bool is_computed_first =
    std::is_same_v<How, unfused_t> ? has_own_tensor<N> : never_streams<N>;

}  // namespace felt::device
