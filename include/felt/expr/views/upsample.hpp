// SPDX-License-Identifier: BSD-3-Clause
//
// upsample(x, {p, q})[.., i, j] = x[.., i / p, j / q]: nearest neighbour on the last two axes,
// x times a block of ones by the Kronecker product.
#pragma once
#include <felt/expr/notation.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/expr/views/reshape.hpp>

namespace felt::inline FELT_ABI {

namespace detail {
struct upsample_rule {
    index_t factor[2];

    auto make(auto x) const {
        constexpr std::size_t R = decltype(x)::rank;
        auto m = identity_map(shape_of(x));
        for (std::size_t i = 0; i < 2; ++i) {
            m.e[R - 2 + i] *= factor[i];
            m.rule[R - 2 + i].divide = factor[i];
        }
        return make_general_view(std::move(x), m, {}, "upsample");
    }
    // The sum over the pixels that an element became.
    template <std::size_t, class X>
    auto pull(auto const& dy, auto const&, X const& x) const {
        constexpr std::size_t R = X::rank;
        static_assert(R + 2 <= max_rank, "upsample: a derivative of more than six axes");
        extents<R + 2> apart;
        for (std::size_t r = 0; r != R - 1; ++r) apart[r] = shape_of(x)[r];
        apart[R - 1] = factor[0], apart[R] = shape_of(x)[R - 1], apart[R + 1] = factor[1];
        auto n = reshape(dy, apart);
        constexpr unsigned pixels = 1U << (R - 1) | 1U << (R + 1);
        return reduce_node<monoid::sum, pixels, decltype(n)>{{std::move(n)}};
    }
};
}  // namespace detail

template <array_operand X>
    requires has_rows_and_columns<X>
auto upsample(X&& x, extent_arg const (&factor)[2]) {
    for (extent_arg const& f : factor) {
        if (f.value < 1) {
            throw shape_error("upsample: factor " + std::to_string(f.value) + " is not positive");
        }
    }
    return compose(detail::upsample_rule{{factor[0].value, factor[1].value}}, std::forward<X>(x));
}

}  // namespace felt::inline FELT_ABI
