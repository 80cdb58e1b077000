// SPDX-License-Identifier: BSD-3-Clause
//
// meshgrid(x, y, ..): for each vector its values over the grid of all, as a tuple. With
// indexing::xy, the default, x runs along axis 1 and y along axis 0; with ij each along its own:
//
//     auto [x2, y2] = meshgrid(x, y);                // x2[i, j] = x[j], y2[i, j] = y[i]
//     auto [x2, y2] = meshgrid<indexing::ij>(x, y);  // x2[i, j] = x[i], y2[i, j] = y[j]
//
// broadcast_arrays(x, y, ..): each of them, broadcast to the extents in which all meet.
#pragma once
#include <felt/expr/views/broadcast.hpp>
#include <tuple>

namespace felt::inline FELT_ABI {

enum class indexing { xy, ij };

template <class... X>
concept all_are_vectors = ((rank_of<X> == 1) && ...);

template <indexing I = indexing::xy, array_operand... X>
    requires all_are_vectors<X...>
[[nodiscard]] auto meshgrid(X&&... x) {
    constexpr std::size_t R = sizeof...(X);
    std::size_t at = 0;
    auto const axis = [](std::size_t i) { return I == indexing::xy && R > 1 && i < 2 ? 1 - i : i; };
    extents<R> e;
    ((e[axis(at++)] = shape_of(x)[0]), ...);
    at = 0;
    auto const along = [&] {
        view_map<1, R> m{e, {}};
        m.rule[0] = {static_cast<int>(axis(at++)), -1, 1};
        return m;
    };
    return std::tuple{make_view(std::forward<X>(x), along(), "meshgrid")...};
}

template <array_operand... X>
[[nodiscard]] auto broadcast_arrays(X&&... x) {
    auto e = detail::ones<detail::max_of<rank_of<X>...>>();
    if (!(detail::broadcast_into(e, shape_of(x)) && ...)) {
        detail::broadcast_fails("broadcast_arrays", {shape_of(x)...});
    }
    return std::tuple{broadcast_to(std::forward<X>(x), e)...};
}

}  // namespace felt::inline FELT_ABI
