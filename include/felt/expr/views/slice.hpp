// SPDX-License-Identifier: BSD-3-Clause
//
// slice(x, range(a, b), all(), 3): a part for every axis of x. range(a, b) keeps a .. b-1,
// range(a, b, step) every step-th of them, all() the whole axis, an index drops the axis.
// Negative positions count from the end. Throws shape_error for what lies outside.
#pragma once
#include <felt/expr/view.hpp>

namespace felt {

struct [[nodiscard]] axis_range {
    index_t first, last, step;
};
struct [[nodiscard]] whole_axis {};

inline axis_range range(extent_arg first, extent_arg last, extent_arg step = 1) {
    return {first.value, last.value, step.value};
}
inline whole_axis all() { return {}; }

template <class P>
concept slice_part = std::same_as<P, axis_range> || std::same_as<P, whole_axis> || std::integral<P>;

template <class X, class... P>
concept one_part_for_every_axis = sizeof...(P) == rank_of<X>;

namespace detail {

[[noreturn]] inline void slice_fails(index_t at, std::size_t axis, index_t extent) {
    throw shape_error("slice: " + std::to_string(at) + " is outside axis " + std::to_string(axis) +
                      " of extent " + std::to_string(extent));
}

inline axis_range slice_range(whole_axis, std::size_t, index_t extent) { return {0, extent, 1}; }
inline axis_range slice_range(axis_range r, std::size_t axis, index_t extent) {
    if (r.step < 1) throw shape_error("slice: step " + std::to_string(r.step) + " is not positive");
    for (index_t* at : {&r.first, &r.last}) {
        if (*at < -extent || *at > extent) slice_fails(*at, axis, extent);
        if (*at < 0) *at += extent;
    }
    return r;
}
template <std::integral I>
axis_range slice_range(I i, std::size_t axis, index_t extent) {
    index_t at = static_cast<index_t>(i);
    if (at < -extent || at >= extent) slice_fails(at, axis, extent);
    if (at < 0) at += extent;
    return {at, at + 1, 1};
}

}  // namespace detail

template <array_operand X, slice_part... P>
    requires one_part_for_every_axis<X, P...>
[[nodiscard]] auto slice(X&& x, P... part) {
    constexpr std::size_t S = rank_of<X>;
    constexpr bool kept[S + 1] = {!std::integral<P>...};
    constexpr std::size_t R = (std::size_t{0} + ... + (std::integral<P> ? 0 : 1));
    auto const e = x.extents();
    view_map<S, R> m{};
    std::size_t s = 0, r = 0;
    auto add = [&](axis_range part_range) {
        axis_rule& rule = m.rule[s];
        rule.offset = part_range.first;
        if (kept[s]) {
            index_t const span = part_range.last - part_range.first;
            m.e[r] = span <= 0 ? 0 : (span + part_range.step - 1) / part_range.step;
            rule.out1 = static_cast<int>(r++);
            rule.stride = part_range.step;
        }
        ++s;
    };
    (add(detail::slice_range(part, s, e[s])), ...);
    return make_view(std::forward<X>(x), m, "slice");
}

template <class... P>
void slice(std::type_identity_t<refused_parts<sizeof...(P)>>, P&&...);  // takes nothing

}  // namespace felt
