// SPDX-License-Identifier: BSD-3-Clause
//
// carried(s...): the statements s with every product of a softmax along its terms,
//
//     matmul(softmax<-1>(x), v)    as    a product of exp(x - m) and v, divided by the sum of exp(x
//     - m),
//
// m the largest score so far: when a larger one comes, what has been added up is multiplied by
// exp(m - the larger one). So scores are wanted once, some terms at a time, and never written.
// (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018; Dao, Fu, Ermon, Rudra
// and Re, "FlashAttention", 2022.)
#pragma once
#include <felt/expr/assign.hpp>
#include <felt/expr/compose.hpp>
#include <felt/expr/contract.hpp>

namespace felt::inline FELT_ABI {

namespace detail {

// Scores; the product that reads them makes them weights.
struct softmax_of_terms {
    static constexpr char const* name = "softmax, carried along the terms";
    static constexpr int cost = op::exp::cost + 4;
    FELT_FN auto operator()(auto x) const { return x; }
    // Of a score less the largest.
    FELT_FN static auto weight(auto x) { return op::exp{}(x); }
};

// A product of softmax<A>(X) with B.
template <class N>
struct product_of_softmax {
    static constexpr bool found = false;
};
template <int A, class X, class M, class D, class B, std::size_t R>
struct product_of_softmax<contract_node<
    map_node<softmax_quotient<A>, once_node<map_node<op::exp, map_node<op::subtract, X, M>>>, D>, B,
    R, 1>> {
    static constexpr bool found =
        std::is_floating_point_v<typename X::value_type> &&
        std::same_as<join_space_t<typename contract_node<X, B, R, 1>::space, Host>, Host>;

    static X const& scores(auto const& n) { return n.x.head.x.head.x.head.x.head.x.head; }
    static bool along_terms(auto const& n) {
        return n.a_label[axis_v<A, X::rank>] == static_cast<int>(R);
    }
};

template <class N>
inline constexpr bool has_carried = false;
template <class Operands>
inline constexpr bool any_has_carried = false;
template <class... X>
inline constexpr bool any_has_carried<tuple<X...>> = (has_carried<X> || ...);
template <node N>
inline constexpr bool has_carried<N> =
    product_of_softmax<N>::found || any_has_carried<operands_of<N>>;

template <class N>
auto carried(N const& n) {
    using product = product_of_softmax<N>;
    if constexpr (!has_carried<N>) {
        return n;
    } else if constexpr (product::found) {
        auto const x = carried(product::scores(n));
        auto const right = carried(n.x.tail.head);
        auto weights = map_node<softmax_of_terms, std::remove_const_t<decltype(x)>>{{x}};
        return n.over(felt::make_tuple(weights, right));
    } else {
        return apply([&](auto const&... x) { return n.over(felt::make_tuple(carried(x)...)); },
                     n.operands());
    }
}

// Whether each softmax goes along the terms of its product.
template <class N>
bool carries_along_terms(N const& n) {
    bool all = true;
    if constexpr (has_carried<N>) {
        if constexpr (product_of_softmax<N>::found) all = product_of_softmax<N>::along_terms(n);
        apply([&](auto const&... x) { all = (all && ... && carries_along_terms(x)); },
              n.operands());
    }
    return all;
}

template <class T, std::size_t R, class Space, class E>
auto carried_in(statement<T, R, Space, E> const& s) {
    auto e = carried(s.expression);
    return statement<T, R, Space, decltype(e)>{s.data, s.e, s.stride, std::move(e), s.no_alias};
}

template <class... S>
inline constexpr bool have_carried =
    (has_carried<std::remove_cv_t<decltype(S::expression)>> || ...);

}  // namespace detail

}  // namespace felt::inline FELT_ABI
