// SPDX-License-Identifier: BSD-3-Clause
//
// pad(x, {{lo, hi}, ..}, value): lo elements before and hi after each axis, all `value`.
#pragma once
#include <felt/expr/view.hpp>

namespace felt {

struct pad_width {
    extent_arg lo, hi;
};

template <class X, std::size_t R>
concept one_width_for_every_axis = R == rank_of<X>;

template <array_operand X, std::size_t R>
    requires one_width_for_every_axis<X, R>
auto pad(X&& x, pad_width const (&width)[R], value_of<X> value = {}) {
    auto m = identity_map(x.extents());
    for (std::size_t r = 0; r != R; ++r) {
        auto const [lo, hi] = width[r];
        if (lo.value < 0 || hi.value < 0) {
            throw shape_error("pad: negative width on axis " + std::to_string(r) + " of " +
                              to_string(x.extents()));
        }
        m.e[r] += lo.value + hi.value;
        m.rule[r].offset = -lo.value;
    }
    return make_general_view(std::forward<X>(x), m, value, "pad");
}

}  // namespace felt
