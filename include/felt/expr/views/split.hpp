// SPDX-License-Identifier: BSD-3-Clause
//
// split<A, N>(x): N equal parts of x along axis A, as an array: auto [i, f] = split<1, 2>(x). Of a
// value that has a name it is a tuple, whose types say which part is which: derivatives by parts
// are written where they belong.
// unstack<A, N>(x): x at each of the N places along axis A, which drops the axis.
#pragma once
#include <felt/expr/notation.hpp>
#include <array>
#include <tuple>

namespace felt::inline FELT_ABI {

namespace detail {

// What several views can be made of: memory itself, or a node.
template <array_operand X>
decltype(auto) operand_of_views(X&& x) {
    using V = std::remove_cvref_t<X>;
    if constexpr (strided_array<X> && std::is_lvalue_reference_v<X>) return (x);
    else if constexpr (strided_array<X> && std::is_trivially_destructible_v<V>) return V(x);
    else return as_node(std::forward<X>(x));
}

template <class F, std::size_t... I>
auto array_of(F const& part, std::index_sequence<I...>) {
    return std::array{part(static_cast<index_t>(I))...};
}

[[noreturn]] inline void parts_fail(char const* name, std::size_t axis, std::string const& e,
                                    std::string const& why) {
    throw shape_error(std::string(name) + ": axis " + std::to_string(axis) + " of " + e + why);
}

}  // namespace detail

template <int N>
concept there_are_parts = N > 0;

// Part I of N equal parts of x along axis A, which lies at this place of them.
template <int A, int N, int I, class X>
struct FELT_LAZY part_node {
    using value_type = typename X::value_type;
    using space = typename X::space;
    static constexpr node_kind what = node_kind::affine;
    static constexpr std::size_t rank = X::rank;
    static constexpr char const* name = "split";

    tuple<X> x;
    index_t place;

    FELT_FN felt::extents<rank> extents() const {
        auto e = x.head.extents();
        e[A] /= N;
        return e;
    }
    FELT_FN tuple<X> const& operands() const { return x; }
    template <class Y>
    FELT_FN part_node<A, N, I, Y> over(tuple<Y> y) const {
        return {std::move(y), place};
    }
    auto plain() const {
        auto m = identity_map(x.head.extents());
        m.e[A] /= N;
        m.rule[A].offset = place * m.e[A];
        auto n = detail::plain(x.head);
        return detail::folded_view(
            view_node<view_kind::affine, decltype(n), rank>{{std::move(n)}, m, {}, name});
    }
};

namespace detail {

// Part I at place[I].
template <int A, int N, class X>
auto parts_at(X const& x, std::array<index_t, std::size_t(N)> const& place) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::tuple{part_node<A, N, int(I), X>{{x}, place[I]}...};
    }(std::make_index_sequence<std::size_t(N)>{});
}
template <int N>
constexpr auto own_places() {
    std::array<index_t, std::size_t(N)> place{};
    for (std::size_t i = 0; i != place.size(); ++i) place[i] = static_cast<index_t>(i);
    return place;
}

}  // namespace detail

// Throws shape_error unless N divides the extent.
template <int A, int N, array_operand X>
    requires there_are_parts<N> && axis_is_in_range<A, rank_of<X>>
[[nodiscard]] auto split(X&& x) {
    constexpr std::size_t axis = axis_v<A, rank_of<X>>;
    auto m = identity_map(shape_of(x));
    if (m.e[axis] % N != 0) {
        detail::parts_fail("split", axis, to_string(m.e),
                           " does not divide by " + std::to_string(N));
    }
    m.e[axis] /= N;
    if constexpr (detail::operand_has_notation<X>) {
        return detail::parts_at<int(axis), N>(as_node(std::forward<X>(x)), detail::own_places<N>());
    } else {
        decltype(auto) from = detail::operand_of_views(std::forward<X>(x));
        auto const part = [&](index_t i) {
            auto at = m;
            at.rule[axis].offset = i * m.e[axis];
            return make_view(from, at, "split");
        };
        return detail::array_of(part, std::make_index_sequence<N>{});
    }
}

// Throws shape_error unless the extent is N.
template <int A, int N, array_operand X>
    requires there_are_parts<N> && axis_is_in_range<A, rank_of<X>>
[[nodiscard]] auto unstack(X&& x) {
    constexpr std::size_t S = rank_of<X>, axis = axis_v<A, S>;
    auto const e = shape_of(x);
    if (e[axis] != N) {
        detail::parts_fail("unstack", axis, to_string(e),
                           " has extent " + std::to_string(e[axis]) + ", not " + std::to_string(N));
    }
    view_map<S, S - 1> m{};
    for (std::size_t s = 0, r = 0; s != S; ++s) {
        if (s == axis) continue;
        m.e[r] = e[s];
        m.rule[s] = {static_cast<int>(r++), -1, 1};
    }
    decltype(auto) from = detail::operand_of_views(std::forward<X>(x));
    auto const part = [&](index_t i) {
        auto at = m;
        at.rule[axis].offset = i;
        return make_view(from, at, "unstack");
    };
    return detail::array_of(part, std::make_index_sequence<N>{});
}

}  // namespace felt::inline FELT_ABI
