// SPDX-License-Identifier: BSD-3-Clause
//
// permute<1, 0, 2>(x)[i, j, k] = x[j, i, k]: axis r of the result is axis Axes[r] of x.
// transpose(x) reverses all axes, swapaxes<A, B>(x) exchanges two, moveaxis<A, B>(x) puts axis A
// where B is of the result, mT(x) transposes each matrix of the last two.
#pragma once
#include <felt/expr/view.hpp>

namespace felt::inline FELT_ABI {

namespace detail {
template <std::size_t R>
consteval bool is_permutation(int const (&axes)[R]) {
    for (std::size_t a = 0; a != R; ++a) {
        int seen = 0;
        for (int axis : axes) seen += axis == static_cast<int>(a);
        if (seen != 1) return false;
    }
    return true;
}
}  // namespace detail

template <std::size_t Rank, int... Axes>
concept axes_are_a_permutation = sizeof...(Axes) == Rank && detail::is_permutation({Axes...});

namespace detail {
// Axis r of the result is axis order(r) of x.
template <array_operand X, class F>
auto reorder(X&& x, F const& order, char const* name) {
    auto const e = shape_of(x);
    auto m = identity_map(e);
    for (std::size_t r = 0; r != rank_of<X>; ++r) {
        m.e[r] = e[order(r)];
        m.rule[order(r)].out1 = static_cast<int>(r);
    }
    return make_view(std::forward<X>(x), m, name);
}
}  // namespace detail

template <int... Axes, array_operand X>
    requires axes_are_a_permutation<rank_of<X>, Axes...>
[[nodiscard]] auto permute(X&& x) {
    constexpr std::size_t axes[] = {Axes..., 0};
    auto const order = [&](std::size_t r) { return axes[r]; };
    return detail::reorder(std::forward<X>(x), order, "permute");
}

template <array_operand X>
[[nodiscard]] auto transpose(X&& x) {
    auto const order = [](std::size_t r) { return rank_of<X> - 1 - r; };
    return detail::reorder(std::forward<X>(x), order, "transpose");
}

template <int A, int B, array_operand X>
    requires axis_is_in_range<A, rank_of<X>> && axis_is_in_range<B, rank_of<X>>
[[nodiscard]] auto swapaxes(X&& x) {
    constexpr std::size_t a = axis_v<A, rank_of<X>>, b = axis_v<B, rank_of<X>>;
    auto const order = [](std::size_t r) { return r == a ? b : r == b ? a : r; };
    return detail::reorder(std::forward<X>(x), order, "swapaxes");
}

template <int From, int To, array_operand X>
    requires axis_is_in_range<From, rank_of<X>> && axis_is_in_range<To, rank_of<X>>
[[nodiscard]] auto moveaxis(X&& x) {
    constexpr std::size_t R = rank_of<X>;
    auto const order = [from = axis_v<From, R>, to = axis_v<To, R>](std::size_t r) {
        if (r == to) return from;
        std::size_t const other = r < to ? r : r - 1;  // of the others, in their order
        return other < from ? other : other + 1;
    };
    return detail::reorder(std::forward<X>(x), order, "moveaxis");
}

template <array_operand X>
    requires has_rows_and_columns<X>
[[nodiscard]] auto mT(X&& x) {
    return swapaxes<-2, -1>(std::forward<X>(x));
}

// These take nothing.
template <int... Axes, class... Rest>
void permute(refused_permutation, Rest&&...);
template <int... Axes, class... Rest>
void transpose(refused_permutation, Rest&&...);
template <int... Axes, class... Rest>
void swapaxes(refused_axes<Axes...>, Rest&&...);
template <int... Axes, class... Rest>
void moveaxis(refused_axes<Axes...>, Rest&&...);

}  // namespace felt::inline FELT_ABI
