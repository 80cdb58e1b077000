// SPDX-License-Identifier: BSD-3-Clause
//
// diagonal(x, k)[.., i] = x[.., i, i + k] for k >= 0, x[.., i - k, i] for k < 0: a diagonal of the
// last two axes.
#pragma once
#include <felt/expr/view.hpp>
#include <algorithm>

namespace felt {

template <array_operand X>
    requires has_rows_and_columns<X>
[[nodiscard]] auto diagonal(X&& x, index_t k = 0) {
    constexpr std::size_t S = rank_of<X>, R = S - 1;
    auto const e = x.extents();
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

}  // namespace felt
