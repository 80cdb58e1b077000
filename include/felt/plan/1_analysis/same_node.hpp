// SPDX-License-Identifier: BSD-3-Clause
//
// same_node<N>(a, b): whether two nodes of the type N are equal apart from their operands: the same
// elements in memory, the same numbers, the same index map, a functor of equal state.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstring>

namespace felt::planning::detail {

// Zeros of either sign are not the same; a NaN is the same as itself.
template <class T>
bool same_bits(T const& a, T const& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class N>
bool same_node(void const* x, void const* y) {
    N const& a = *static_cast<N const*>(x);
    N const& b = *static_cast<N const*>(y);
    if constexpr (requires { a.data, a.stride; }) {
        return a.data == b.data && a.e == b.e && a.stride == b.stride;
    } else if constexpr (requires { a.keep; }) {
        return a.view.data == b.view.data && a.view.e == b.view.e;
    } else if constexpr (requires { a.value; }) {
        return same_bits(a.value, b.value);
    } else if constexpr (requires { a.g == b.g; }) {
        return a.g == b.g && a.e == b.e;
    } else if constexpr (requires { a.state; }) {
        if constexpr (requires { a.state == b.state; }) return a.state == b.state;
        else return false;
    } else if constexpr (requires { a.op; }) {
        if constexpr (std::is_empty_v<decltype(a.op)>) return true;
        else if constexpr (requires { a.op == b.op; }) return a.op == b.op;
        else return false;
    } else if constexpr (requires { a.map.rule; }) {
        if (!std::ranges::equal(a.map.rule, b.map.rule)) return false;
        return a.map.e == b.map.e && same_bits(a.fill, b.fill);
    } else if constexpr (requires { a.a_label; }) {
        return std::ranges::equal(a.a_label, b.a_label) && std::ranges::equal(a.b_label, b.b_label);
    } else if constexpr (requires { a.axis; }) {
        return a.axis == b.axis;
    } else if constexpr (requires { a.e; }) {
        return a.e == b.e;
    } else {
        return true;
    }
}

}  // namespace felt::planning::detail
