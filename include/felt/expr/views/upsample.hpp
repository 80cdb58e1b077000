// SPDX-License-Identifier: BSD-3-Clause
//
// upsample(x, {p, q})[.., i, j] = x[.., i / p, j / q]: nearest neighbour on the last two axes,
// x times a block of ones by the Kronecker product.
#pragma once
#include <felt/expr/view.hpp>

namespace felt {

template <array_operand X>
    requires has_rows_and_columns<X>
auto upsample(X&& x, extent_arg const (&factor)[2]) {
    constexpr std::size_t R = rank_of<X>;
    auto m = identity_map(x.extents());
    for (std::size_t i = 0; i < 2; ++i) {
        std::size_t const axis = R - 2 + i;
        if (factor[i].value < 1) {
            throw shape_error("upsample: factor " + std::to_string(factor[i].value) +
                              " is not positive");
        }
        m.e[axis] *= factor[i].value;
        m.rule[axis].divide = factor[i].value;
    }
    return make_general_view(std::forward<X>(x), m, {}, "upsample");
}

}  // namespace felt
