// SPDX-License-Identifier: BSD-3-Clause
//
// diff<A>(x)[.., i, ..] = x[.., i + 1, ..] - x[.., i, ..]; diff<A, N>(x): the differences of these,
// N times. Of N + 1 or more elements N fewer are left, of fewer nothing.
#pragma once
#include <felt/expr/functions.hpp>
#include <felt/expr/view.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI {

namespace detail {
// One element less along the axis: the last or, with offset 1, the first.
template <array_operand X>
auto all_but_one(X&& x, std::size_t axis, index_t offset) {
    auto m = identity_map(shape_of(x));
    m.e[axis] = std::max<index_t>(m.e[axis] - 1, 0);
    m.rule[axis].offset = offset;
    return make_view(std::forward<X>(x), m, "diff");
}
}  // namespace detail

// Of bool it is of int: -1, 0 or 1.
template <int A = -1, int N = 1, array_operand X>
    requires(N >= 0) && axis_is_in_range<A, rank_of<X>>
auto diff(X&& x) {
    auto n = as_node(std::forward<X>(x));
    if constexpr (N == 0) {
        return n;
    } else {
        constexpr std::size_t axis = axis_v<A, rank_of<X>>;
        return diff<A, N - 1>(detail::all_but_one(n, axis, 1) - detail::all_but_one(n, axis, 0));
    }
}
template <int A = -1, int N = 1>
void diff(refused_axes<A>, ...);  // takes nothing

}  // namespace felt::inline FELT_ABI
