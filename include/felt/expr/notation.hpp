// SPDX-License-Identifier: BSD-3-Clause
//
// Notation: nodes that say more than the engine needs, and stand for others. plain() of such a node
// is what it stands for; a statement keeps plain(e), so that kernels and plans are those of the
// expression without notation. (felt/grad.hpp has names, which tell the leaves of a type apart.)
#pragma once
#include <felt/expr/view.hpp>

namespace felt::inline FELT_ABI {

namespace detail {

template <class N>
concept stands_for_another = requires(N const& n) { n.plain(); };

template <class N>
inline constexpr bool has_notation = true;
template <class Operands>
inline constexpr bool any_has_notation = false;
template <class... X>
inline constexpr bool any_has_notation<tuple<X...>> = (has_notation<X> || ...);
template <class N>
    requires(!stands_for_another<N>)
inline constexpr bool has_notation<N> = any_has_notation<operands_of<N>>;

// n without notation.
template <node N>
auto plain(N const& n) {
    if constexpr (!has_notation<N>) {
        return n;
    } else if constexpr (stands_for_another<N>) {
        return n.plain();
    } else {
        auto over = [&](auto const&... x) { return n.over(felt::make_tuple(plain(x)...)); };
        return folded_view(apply(over, n.operands()));
    }
}
template <node N>
auto without_notation(N&& n) {
    if constexpr (has_notation<std::remove_cvref_t<N>>) return plain(n);
    else return std::remove_cvref_t<N>(std::forward<N>(n));
}

// The map of a view that has axes of extent 1 where the bits of Mask are, and those of x between.
template <unsigned Mask, std::size_t S>
FELT_FN auto map_of_inserted(extents<S> const& e) {
    constexpr std::size_t R = S + std::size_t(__builtin_popcount(Mask));
    view_map<S, R> m{};
    std::size_t from = 0;
    for (std::size_t r = 0; r != R; ++r) {
        m.e[r] = 1;
        if ((Mask >> r & 1U) != 0) continue;
        m.e[r] = e[from];
        m.rule[from].out1 = static_cast<int>(r);
        m.rule[from++].stride = 1;
    }
    return m;
}

}  // namespace detail

// x with axes of extent 1, of which the type says where they are.
template <unsigned Mask, class X>
struct FELT_LAZY inserted_node {
    using value_type = typename X::value_type;
    using space = typename X::space;
    static constexpr node_kind what = node_kind::affine;
    static constexpr std::size_t rank = X::rank + std::size_t(__builtin_popcount(Mask));

    tuple<X> x;
    char const* name;

    FELT_FN felt::extents<rank> extents() const {
        return detail::map_of_inserted<Mask>(x.head.extents()).e;
    }
    FELT_FN tuple<X> const& operands() const { return x; }
    template <class Y>
    FELT_FN inserted_node<Mask, Y> over(tuple<Y> y) const {
        return {std::move(y), name};
    }
    auto plain() const {
        auto const n = detail::plain(x.head);
        auto const m = detail::map_of_inserted<Mask>(n.extents());
        return detail::folded_view(
            view_node<view_kind::affine, std::remove_cvref_t<decltype(n)>, rank>{{n}, m, {}, name});
    }
};

// A composition that has a derivative of its own: see compose.
template <class Rule, class... X>
struct FELT_LAZY composed_node {
    using made =
        decltype(std::declval<Rule const&>().make(detail::plain(std::declval<X const&>())...));
    using value_type = typename made::value_type;
    using space = typename made::space;
    static constexpr node_kind what = node_kind::affine;
    static constexpr std::size_t rank = made::rank;
    static constexpr char const* name = "composition";

    tuple<X...> x;
    Rule rule;

    // It is no argument of a kernel, although nodes that are may be made of it.
    FELT_CALLS_EITHER
    FELT_HOST_DEVICE felt::extents<rank> extents() const { return plain().extents(); }
    FELT_FN tuple<X...> const& operands() const { return x; }
    template <class... Y>
    FELT_FN composed_node<Rule, Y...> over(tuple<Y...> y) const {
        return {std::move(y), rule};
    }
    auto plain() const {
        return apply([&](auto const&... a) { return rule.make(detail::plain(a)...); }, x);
    }
};

namespace detail {

template <class X>
inline constexpr bool operand_has_notation = false;
template <node X>
inline constexpr bool operand_has_notation<X> = has_notation<std::remove_cvref_t<X>>;

template <unsigned Mask, array_operand X>
auto insert_axes(X&& x, char const* name) {
    if constexpr (operand_has_notation<X>) {
        auto n = as_node(std::forward<X>(x));
        return inserted_node<Mask, decltype(n)>{{std::move(n)}, name};
    } else {
        auto const m = map_of_inserted<Mask>(shape_of(x));
        return make_view(std::forward<X>(x), m, name);
    }
}

}  // namespace detail

// A composition of one's own, with its derivatives:
//
//     struct swish {
//         auto make(auto x) const { return x * sigmoid(x); }
//         template <std::size_t I>   // of a cost whose derivative by y = make(x...) is dy, by x_I
//         auto pull(auto dy, auto y, auto x) const { return dy * (y + sigmoid(x) * (1 - y)); }
//     };
//     y = compose(swish{}, x);
//
// It is rule.make(x...), which keeps its rule where an operand has a name.
template <class Rule, class... X>
auto compose(Rule const& rule, X&&... x) {
    if constexpr ((detail::operand_has_notation<X> || ...))
        return composed_node<Rule, node_of<X>...>{felt::make_tuple(as_node(std::forward<X>(x))...),
                                                  rule};
    else return rule.make(as_node(std::forward<X>(x))...);
}

}  // namespace felt::inline FELT_ABI
