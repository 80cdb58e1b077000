// SPDX-License-Identifier: BSD-3-Clause
//
// fully_fused<E>: whether the kinds of node in E never need an intermediate. What only the run
// knows (aliasing, extents too large for scratch, recomputing) is in the plan.
#pragma once
#include <felt/expr/contract.hpp>
#include <felt/expr/fill.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/expr/scan.hpp>
#include <felt/expr/views/concat.hpp>
#include <felt/expr/views/scatter.hpp>
#include <felt/expr/views/reshape.hpp>

namespace felt {

namespace detail {

// Facts about an expression type: does it contain a product, a reduction; does it fuse.
template <class N>
struct fusing {
    static constexpr bool product = false, reduction = false, fuses = true;
};
template <class... X>
struct fusing_all {
    static constexpr bool product = (fusing<X>::product || ...);
    static constexpr bool reduction = (fusing<X>::reduction || ...);
    static constexpr bool fuses = (fusing<X>::fuses && ...);
};
template <class F, class... X>
struct fusing<map_node<F, X...>> : fusing_all<X...> {};
template <class X>
struct fusing<once_node<X>> : fusing_all<X> {};
template <view_kind K, class X, std::size_t R>
struct fusing<view_node<K, X, R>> : fusing_all<X> {};
template <class X, std::size_t R>
struct fusing<reshape_node<X, R>> : fusing_all<X> {};
template <class X, class Y>
struct fusing<concat_node<X, Y>> : fusing_all<X, Y> {};
template <class M, unsigned Mask, class X>
struct fusing<reduce_node<M, Mask, X>> : fusing_all<X> {
    static constexpr bool reduction = true;
};
template <class F, int A, class X>
struct fusing<scan_node<F, A, X>> : fusing_all<X> {
    static constexpr bool reduction = true;
};
// Indices may ask for any element at any time: what is dear to compute must be there whole.
template <class X, class I>
struct fusing<gather_node<X, I>> : fusing_all<X, I> {
    static constexpr bool fuses = fusing_all<X, I>::fuses && !fusing<X>::product &&
                                  !fusing<X>::reduction && !fusing<I>::product;
};
// Likewise, and every element of the result needs all indices.
template <class X, class I>
struct fusing<scatter_node<X, I>> : fusing<gather_node<X, I>> {};
// A product of two products computes one of them again for every block of the other.
template <class A, class B, std::size_t R, std::size_t S>
struct fusing<contract_node<A, B, R, S>> : fusing_all<A, B> {
    static constexpr bool product = true;
    static constexpr bool fuses =
        fusing_all<A, B>::fuses && !(fusing<A>::product && fusing<B>::product);
};

}  // namespace detail

template <operand E>
inline constexpr bool fully_fused = detail::fusing<node_of<E>>::fuses;

}  // namespace felt
