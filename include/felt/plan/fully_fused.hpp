// SPDX-License-Identifier: BSD-3-Clause
//
// fully_fused<E>: whether the kinds of node in E never need an intermediate. What only the run
// knows (aliasing, extents too large for scratch, recomputing) is in the plan.
#pragma once
#include <felt/expr/leaf.hpp>

namespace felt::inline FELT_ABI {

namespace detail {

// Facts about an expression type: does it contain a product, a reduction; does it fuse.
template <class X>
struct fusing_of;
template <class N>
struct fusing;
template <class... X>
struct fusing_of<tuple<X...>> {
    static constexpr bool product = (false || ... || fusing<X>::product);
    static constexpr bool reduction = (false || ... || fusing<X>::reduction);
    static constexpr bool fuses = (true && ... && fusing<X>::fuses);
    static constexpr int products = (0 + ... + (fusing<X>::product ? 1 : 0));
};
template <class N>
struct fusing {
    using below = fusing_of<operands_of<N>>;
    static constexpr bool is_product = N::what == node_kind::contract;
    static constexpr bool product = below::product || is_product;
    static constexpr bool reduction =
        below::reduction || N::what == node_kind::reduce || N::what == node_kind::scan;
    static constexpr bool fuses = [] {
        // A product of two products computes one of them again for every block of the other.
        if constexpr (is_product) return below::fuses && below::products < 2;
        // What is picked from at any time must be there whole.
        else if constexpr (trait_of_node<N>.picks_any)
            return below::fuses && !below::product &&
                   !fusing<decltype(std::declval<N>().x.head)>::reduction;
        else return below::fuses;
    }();
};

}  // namespace detail

template <operand E>
inline constexpr bool fully_fused = detail::fusing<node_of<E>>::fuses;

}  // namespace felt::inline FELT_ABI
