// SPDX-License-Identifier: BSD-3-Clause
//
// permute<1, 0, 2>(x)[i, j, k] = x[j, i, k]: axis r of the result is axis Axes[r] of x.
// transpose(x) reverses all axes.
#pragma once
#include <felt/expr/view.hpp>

namespace felt {

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

template <int... Axes, array_operand X>
    requires axes_are_a_permutation<rank_of<X>, Axes...>
[[nodiscard]] auto permute(X&& x) {
    constexpr std::size_t R = rank_of<X>;
    constexpr int axes[R] = {Axes...};
    auto const e = x.extents();
    auto m = identity_map(e);
    for (std::size_t r = 0; r != R; ++r) {
        auto const source = static_cast<std::size_t>(axes[r]);
        m.e[r] = e[source];
        m.rule[source].out1 = static_cast<int>(r);
    }
    return make_view(std::forward<X>(x), m, "permute");
}

template <array_operand X>
[[nodiscard]] auto transpose(X&& x) {
    constexpr std::size_t R = rank_of<X>;
    auto const e = x.extents();
    auto m = identity_map(e);
    for (std::size_t r = 0; r != R; ++r) {
        m.e[r] = e[R - 1 - r];
        m.rule[r].out1 = static_cast<int>(R - 1 - r);
    }
    return make_view(std::forward<X>(x), m, "transpose");
}

// These take nothing.
template <int... Axes, class... Rest>
void permute(refused_permutation, Rest&&...);
template <int... Axes, class... Rest>
void transpose(refused_permutation, Rest&&...);

}  // namespace felt
