// SPDX-License-Identifier: BSD-3-Clause
//
// expand_dims<A>(x): an axis of extent 1 is put in before axis A of the result.
// broadcast_to(x, {..}): axes of extent 1 and missing leading axes are repeated.
#pragma once
#include <felt/expr/map.hpp>
#include <felt/expr/notation.hpp>

namespace felt::inline FELT_ABI {

template <int A, array_operand X>
    requires axis_is_in_range<A, rank_of<X> + 1>
[[nodiscard]] auto expand_dims(X&& x) {
    constexpr unsigned mask = 1U << axis_v<A, rank_of<X> + 1>;
    return detail::insert_axes<mask>(std::forward<X>(x), "expand_dims");
}

template <int... Axes, class... Rest>
void expand_dims(refused_axes<Axes...>, Rest&&...);  // takes nothing

namespace detail {
template <std::size_t R, array_operand X>
    requires(rank_of<X> <= R)
[[nodiscard]] auto broadcast_view(X&& x, extents<R> const& to) {
    constexpr std::size_t S = rank_of<X>;
    extents<S> const e = shape_of(x);
    view_map<S, R> m{checked_extents("broadcast_to", to), {}};
    for (std::size_t s = 0; s != S; ++s) {
        std::size_t const r = R - S + s;
        if (e[s] != to[r] && e[s] != 1) {
            throw shape_error("broadcast_to: " + to_string(e) + " does not broadcast to " +
                              to_string(to));
        }
        m.rule[s].out1 = static_cast<int>(r);
        m.rule[s].stride = e[s] == 1 ? 0 : 1;
    }
    return make_view(std::forward<X>(x), m, "broadcast_to");
}
}  // namespace detail

template <array_operand X, std::size_t R>
[[nodiscard]] auto broadcast_to(X&& x, extent_arg const (&to)[R]) {
    return detail::broadcast_view(std::forward<X>(x), make_extents(to));
}
template <array_operand X, std::size_t R>
[[nodiscard]] auto broadcast_to(X&& x, extents<R> const& to) {
    return detail::broadcast_view(std::forward<X>(x), to);
}

}  // namespace felt::inline FELT_ABI
