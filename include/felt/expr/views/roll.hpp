// SPDX-License-Identifier: BSD-3-Clause
//
// roll<A...>(x, shift..)[.., i, ..] = x[.., i - shift, ..], counted around along each axis A.
// tile(x, {..}): as many copies of x side by side along each axis.
// repeat<A>(x, n)[.., i, ..] = x[.., i / n, ..]: each element n times.
#pragma once
#include <felt/expr/view.hpp>
#include <algorithm>

namespace felt {

template <std::size_t Axes, std::size_t Shifts>
concept one_shift_for_every_axis = Axes > 0 && Axes == Shifts;

template <int... Axes, array_operand X, std::convertible_to<extent_arg>... Shift>
    requires one_shift_for_every_axis<sizeof...(Axes), sizeof...(Shift)> &&
             (axis_is_in_range<Axes, rank_of<X>> && ...)
auto roll(X&& x, Shift... shift) {
    auto m = identity_map(x.extents());
    auto const turn = [&](std::size_t axis, extent_arg by) {
        m.rule[axis].offset -= by.value;
        m.rule[axis].mode = pad_mode::wrap;
    };
    (turn(axis_v<Axes, rank_of<X>>, shift), ...);
    return make_folded_view(std::forward<X>(x), m, "roll");
}

template <class X, std::size_t R>
concept one_count_for_every_axis = R == rank_of<X>;

template <array_operand X, std::size_t R>
    requires one_count_for_every_axis<X, R>
auto tile(X&& x, extent_arg const (&count)[R]) {
    auto const n = checked_extents("tile", make_extents(count));
    auto m = identity_map(x.extents());
    for (std::size_t r = 0; r != R; ++r) {
        m.e[r] *= n[r];
        m.rule[r].mode = pad_mode::wrap;
    }
    return make_folded_view(std::forward<X>(x), m, "tile");
}

template <int A, array_operand X>
    requires axis_is_in_range<A, rank_of<X>>
auto repeat(X&& x, extent_arg n) {
    constexpr std::size_t axis = axis_v<A, rank_of<X>>;
    auto m = identity_map(x.extents());
    m.e[axis] *= checked_extents("repeat", extents<1>{{n.value}})[0];
    m.rule[axis].divide = std::max<index_t>(n.value, 1);
    return make_general_view(std::forward<X>(x), m, {}, "repeat");
}

}  // namespace felt
