// SPDX-License-Identifier: BSD-3-Clause
//
// diagonal(x, k)[.., i] = x[.., i, i + k] for k >= 0, x[.., i - k, i] for k < 0: a diagonal of the
// last two axes.
#pragma once
#include <felt/expr/fill.hpp>
#include <felt/expr/functions.hpp>
#include <felt/expr/notation.hpp>
#include <felt/expr/views/broadcast.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI {

namespace detail {

template <array_operand X>
auto diagonal_of(X&& x, index_t k) {
    constexpr std::size_t S = rank_of<X>, R = S - 1;
    auto const e = shape_of(x);
    index_t const below = std::max<index_t>(-k, 0), right = std::max<index_t>(k, 0);
    view_map<S, R> m{};
    for (std::size_t s = 0; s != R; ++s) {
        m.e[s] = e[s];
        m.rule[s] = {static_cast<int>(s), -1, 1};
    }
    m.e[R - 1] = std::max<index_t>(std::min(e[R - 1] - below, e[R] - right), 0);
    m.rule[R - 1].offset = below;
    m.rule[R] = {static_cast<int>(R) - 1, -1, 1, 0, right};
    return make_view(std::forward<X>(x), m, "diagonal");
}

struct diagonal_rule {
    index_t k;

    auto make(auto x) const { return as_node(diagonal_of(std::move(x), k)); }
    // dy on the diagonal of zeros: x[.., i, j] = dy[.., i - below] where j = i + k.
    template <std::size_t, class X, class D>
    auto pull(D const& dy, auto const&, X const& x) const {
        constexpr std::size_t S = X::rank;
        auto const e = shape_of(x);
        view_map<S - 1, S> m{};
        m.e = e;
        for (std::size_t s = 0; s + 1 != S; ++s) m.rule[s] = {static_cast<int>(s), -1, 1};
        m.rule[S - 2].offset = -std::max<index_t>(-k, 0);
        auto const rows = make_general_view(dy, m, {}, "pad");
        auto const i = expand_dims<1>(iota(e[S - 2]) + k);
        return where(i == iota(e[S - 1]), rows, 0);
    }
};

}  // namespace detail

template <array_operand X>
    requires has_rows_and_columns<X>
[[nodiscard]] auto diagonal(X&& x, index_t k = 0) {
    if constexpr (detail::operand_has_notation<X>) {
        return compose(detail::diagonal_rule{k}, std::forward<X>(x));
    } else {
        return detail::diagonal_of(std::forward<X>(x), k);
    }
}

}  // namespace felt::inline FELT_ABI
