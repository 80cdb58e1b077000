// SPDX-License-Identifier: BSD-3-Clause
//
// squeeze<A...>(x): x without the axes A, which have extent 1: the inverse of expand_dims.
#pragma once
#include <felt/expr/reductions.hpp>

namespace felt::inline FELT_ABI {

// Throws shape_error if one of the axes has another extent than 1.
template <int... A, array_operand X>
    requires(sizeof...(A) > 0) && axes_are_in_range<X, A...>
[[nodiscard]] auto squeeze(X&& x) {
    constexpr std::size_t S = rank_of<X>;
    constexpr unsigned dropped = detail::axis_mask<S, A...>();
    auto const e = shape_of(x);
    view_map<S, S - sizeof...(A)> m{};
    for (std::size_t s = 0, r = 0; s != S; ++s) {
        if ((dropped >> s & 1U) == 0) {
            m.e[r] = e[s];
            m.rule[s] = {static_cast<int>(r++), -1, 1};
        } else if (e[s] != 1) {
            throw shape_error("squeeze: axis " + std::to_string(s) + " of " + to_string(e) +
                              " has extent " + std::to_string(e[s]) + ", not 1");
        }
    }
    return make_view(std::forward<X>(x), m, "squeeze");
}

template <int... A>
void squeeze(refused_axes<A...>, ...);  // takes nothing

}  // namespace felt::inline FELT_ABI
