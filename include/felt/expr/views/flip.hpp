// SPDX-License-Identifier: BSD-3-Clause
//
// flip<Axes...>(x) reverses the order along Axes; rot180(x) along the last two.
#pragma once
#include <felt/expr/view.hpp>

namespace felt::inline FELT_ABI {

template <int... Axes, array_operand X>
    requires(axis_is_in_range<Axes, rank_of<X>> && ...)
[[nodiscard]] auto flip(X&& x) {
    auto m = identity_map(shape_of(x));
    auto turn = [&](std::size_t axis) {
        m.rule[axis].stride = -1;
        m.rule[axis].offset = m.e[axis] - 1;
    };
    (turn(axis_v<Axes, rank_of<X>>), ...);
    return make_view(std::forward<X>(x), m, "flip");
}

template <int... Axes, class... Rest>
void flip(refused_axes<Axes...>, Rest&&...);  // takes nothing

template <array_operand X>
    requires has_rows_and_columns<X>
[[nodiscard]] auto rot180(X&& x) {
    return flip<-2, -1>(std::forward<X>(x));
}

}  // namespace felt::inline FELT_ABI
