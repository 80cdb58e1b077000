// SPDX-License-Identifier: BSD-3-Clause
//
// Statements of one pass of the tile program: a thread has the sums of a product, and stores what
// becomes of them in each statement.
#pragma once
#include <felt/device/product_kept.hpp>
#include <felt/expr/contract.hpp>
#include <felt/expr/map.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/view.hpp>

namespace felt::inline FELT_ABI::device {

// As many statements at most are one kernel: every run of that many is compiled.
inline constexpr int most_together = 4;

// The first product that is reached by maps and affine views alone.
template <class N>
struct first_product {
    using type = void;
};
template <class N>
using first_product_of = typename first_product<N>::type;
template <class A, class B, std::size_t R, std::size_t S>
struct first_product<contract_node<A, B, R, S>> {
    using type = contract_node<A, B, R, S>;
};
template <class F, class X, class... Y>
struct first_product<map_node<F, X, Y...>> {
    using here = first_product_of<X>;
    using type =
        std::conditional_t<std::is_void_v<here>, first_product_of<map_node<F, Y...>>, here>;
};
template <class X, std::size_t R>
struct first_product<view_node<view_kind::affine, X, R>> : first_product<X> {};
template <class X>
struct first_product<once_node<X>> : first_product<X> {};

// What costs few registers beside sums: maps and affine views of leaves.
template <class N>
inline constexpr bool is_simple = has_no_operands<N>;
template <class F, class... X>
inline constexpr bool is_simple<map_node<F, X...>> = (is_simple<X> && ...);
template <class X, std::size_t R>
inline constexpr bool is_simple<view_node<view_kind::affine, X, R>> = is_simple<X>;
template <class X>
inline constexpr bool is_simple<once_node<X>> = is_simple<X>;

// Whether, by their types, a statement may be in the pass that the products of another one begin.
template <class First, class Next>
consteval bool may_share_sums() {
    using N = decltype(First::expression);
    using X = decltype(Next::expression);
    if constexpr (First::rank != Next::rank || !may_keep_products<N, First::rank>) return false;
    else if constexpr (plain_products<N> == 0) return false;
    else if constexpr (is_simple<X>) return true;
    else if constexpr (plain_products<X> == 0 || !may_keep_products<X, First::rank>) return false;
    else return std::is_same_v<first_product_of<N>, first_product_of<X>>;
}

// Places of products of the type of P in a statement.
template <class P, class S>
auto places_in(S const& s) {
    return places_of<P>(s.expression, broadcast(own_loops<S::rank>(), s.expression.extents()));
}

// The statements that may be in a pass with products equal to `product`, of statement `begin`:
// those before this one. Statement k is `next`.
template <class P, class Places, class First, class Next, class... Rest>
statement_id shared_until(plan const& p, statement_id begin, statement_id k, P const& product,
                          Places& all, First const& first, Next const& next, Rest const&... rest) {
    if constexpr (!may_share_sums<First, Next>()) {
        return k;
    } else {
        if constexpr (plain_products<decltype(Next::expression)> > 0) {
            node_id const own = products_of(p, p.g[begin].root)[0];
            node_id const other = products_of(p, p.g[k].root)[0];
            if (p[k].keeps != kept::all || !same_value(p.g, own, other)) return k;
            for (auto const& m : places_in<P>(next)) all.push_back(m);
            if (!shared_sums(product, all)) return k;
        }
        if constexpr (sizeof...(Rest) == 0) return k + 1;
        else if (k + 1 - begin == most_together) return k + 1;
        else return shared_until(p, begin, k + 1, product, all, first, rest...);
    }
}
// The same, of the products of statement `begin` itself.
template <class First, class... Next>
statement_id shared_until(plan const& p, statement_id begin, First const& first,
                          Next const&... next) {
    using N = decltype(First::expression);
    statement_id until = begin + 1;
    if constexpr (sizeof...(Next) > 0 && may_keep_products<N, First::rank> &&
                  plain_products<N> > 0) {
        if (p[begin].keeps != kept::all) return until;
        using P = first_product_of<N>;
        auto const own = broadcast(own_loops<First::rank>(), first.expression.extents());
        bool found = false;
        for_each_product(first.expression, own, [&]<class Q, class M>(Q const& product, M const&) {
            if constexpr (std::is_same_v<P, Q>) {
                if (std::exchange(found, true)) return;
                auto all = places_in<P>(first);
                until = shared_until(p, begin, begin + 1, product, all, first, next...);
            }
        });
    }
    return until;
}

}  // namespace felt::inline FELT_ABI::device
