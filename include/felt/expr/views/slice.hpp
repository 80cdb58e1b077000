// SPDX-License-Identifier: BSD-3-Clause
//
// slice(x, range(a, b), all(), 3): a part for every axis of x.
//
//     range(a, b, step)   a, a + step, .. before b; step is 1 if left out, and may be negative
//     from(a, step)       the same, as far as the axis goes in the direction of the step
//     until(b, step)      the same, from where the axis begins in that direction
//     all()               the whole axis
//     3                   this index alone; the axis is dropped
//     ellipsis            all() for every axis that no other part names; once
//
// Negative positions count from the end. Throws shape_error for what lies outside.
#pragma once
#include <felt/expr/view.hpp>
#include <limits>

namespace felt::inline FELT_ABI {

struct [[nodiscard]] axis_range {
    index_t first, last, step;
};
struct [[nodiscard]] whole_axis {};
struct ellipsis_t {};
inline constexpr ellipsis_t ellipsis{};

namespace detail {
inline constexpr index_t open_end = std::numeric_limits<index_t>::max();
}  // namespace detail

inline axis_range range(extent_arg first, extent_arg last, extent_arg step = 1) {
    return {first.value, last.value, step.value};
}
inline axis_range from(extent_arg first, extent_arg step = 1) {
    return {first.value, detail::open_end, step.value};
}
inline axis_range until(extent_arg last, extent_arg step = 1) {
    return {detail::open_end, last.value, step.value};
}
inline whole_axis all() { return {}; }

template <class P>
concept slice_part = std::same_as<P, axis_range> || std::same_as<P, whole_axis> ||
                     std::same_as<P, ellipsis_t> || std::integral<P>;

namespace detail {
template <class... P>
inline constexpr std::size_t ellipses = (std::size_t{0} + ... + std::same_as<P, ellipsis_t>);
}  // namespace detail

template <class X, class... P>
concept one_part_for_every_axis = (detail::ellipses<P...> == 0 && sizeof...(P) == rank_of<X>) ||
                                  (detail::ellipses<P...> == 1 && sizeof...(P) <= rank_of<X> + 1);

namespace detail {

[[noreturn]] inline void slice_fails(index_t at, std::size_t axis, index_t extent) {
    throw shape_error("slice: " + std::to_string(at) + " is outside axis " + std::to_string(axis) +
                      " of extent " + std::to_string(extent));
}

// What a part takes of an axis.
struct axis_places {
    index_t first, step, count;
};

inline axis_places places_of(whole_axis, std::size_t, index_t extent) { return {0, 1, extent}; }
inline axis_places places_of(axis_range r, std::size_t axis, index_t extent) {
    auto const place = [&](index_t at, index_t open) {
        if (at == open_end) return open;
        if (at < -extent || at > extent) slice_fails(at, axis, extent);
        return at < 0 ? at + extent : at;
    };
    if (r.step == 0) throw shape_error("slice: step 0");
    bool const back = r.step < 0;
    index_t const first = place(r.first, back ? extent - 1 : 0);
    index_t const last = place(r.last, back ? -1 : extent);
    index_t const span = back ? first - last : last - first, step = back ? -r.step : r.step;
    if (span <= 0) return {first, r.step, 0};
    if (first == extent) slice_fails(first, axis, extent);
    return {first, r.step, (span - 1) / step + 1};
}
template <std::integral I>
axis_places places_of(I i, std::size_t axis, index_t extent) {
    index_t const at = static_cast<index_t>(i);
    if (at < -extent || at >= extent) slice_fails(at, axis, extent);
    return {at < 0 ? at + extent : at, 0, 1};
}

}  // namespace detail

template <array_operand X, slice_part... P>
    requires one_part_for_every_axis<X, P...>
[[nodiscard]] auto slice(X&& x, P... part) {
    constexpr std::size_t S = rank_of<X>;
    constexpr std::size_t others = S + detail::ellipses<P...> - sizeof...(P);
    constexpr std::size_t R = S - (std::size_t{0} + ... + std::integral<P>);
    auto const e = shape_of(x);
    view_map<S, R> m{};
    std::size_t s = 0, r = 0;
    auto const keep = [&](auto of_axis) {
        auto const places = detail::places_of(of_axis, s, e[s]);
        m.e[r] = places.count;
        m.rule[s++] = {static_cast<int>(r++), -1, places.step, 0, places.first};
    };
    auto const add = [&]<class Q>(Q of_axis) {
        if constexpr (std::integral<Q>) {
            m.rule[s].offset = detail::places_of(of_axis, s, e[s]).first;
            ++s;
        } else if constexpr (std::same_as<Q, ellipsis_t>) {
            for (std::size_t i = 0; i != others; ++i) keep(whole_axis{});
        } else {
            keep(of_axis);
        }
    };
    (add(part), ...);
    return make_view(std::forward<X>(x), m, "slice");
}

template <class... P>
void slice(std::type_identity_t<refused_parts<sizeof...(P)>>, P&&...);  // takes nothing

}  // namespace felt::inline FELT_ABI
