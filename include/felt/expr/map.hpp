// SPDX-License-Identifier: BSD-3-Clause
//
// map: out[i...] = f(a[i...], b[i...], ...), with NumPy broadcasting.
#pragma once
#include <felt/core/apart.hpp>
#include <felt/expr/leaf.hpp>
#include <felt/expr/user_function.hpp>
#include <initializer_list>
#include <utility>

namespace felt::inline FELT_ABI {

namespace detail {
template <operand X>
auto as_computed(X&& x);  // promote.hpp
}  // namespace detail

namespace detail {
template <std::size_t... R>
inline constexpr std::size_t max_of = 0;
template <std::size_t A, std::size_t... R>
inline constexpr std::size_t max_of<A, R...> = A > max_of<R...> ? A : max_of<R...>;

// Extent 1 stretches; returns false where two extents disagree. `to` are the last axes of the
// result.
FELT_FN bool broadcast_axes(index_t* to, index_t const* x, std::size_t rank) {
    for (std::size_t s = 0; s != rank; ++s) {
        if (to[s] == 1) {
            to[s] = x[s];
        } else if (x[s] != 1 && x[s] != to[s]) {
            return false;
        }
    }
    return true;
}
template <std::size_t R, std::size_t S>
FELT_FN bool broadcast_into(extents<R>& e, extents<S> const& x) {
    return broadcast_axes(e.value + (R - S), x.value, S);
}

// Compiled once: a function that may throw is inlined more gladly than its message.
[[noreturn]] FELT_PLANNING inline void broadcast_fails(char const* function,
                                                       std::initializer_list<shape_ref> list) {
    std::string shapes;
    for (shape_ref const& e : list) shapes += (shapes.empty() ? "" : " and ") + e.text();
    throw shape_error(std::string(function) + ": shapes " + shapes + " do not broadcast");
}

template <std::size_t R>
FELT_FN extents<R> ones() {
    extents<R> e;
    for (std::size_t r = 0; r != R; ++r) e[r] = 1;
    return e;
}
}  // namespace detail

// F without state is not stored: F{}(x) means the same and costs no kernel argument.
template <class F, class... X>
struct FELT_LAZY map_node {
    using function = F;
    using value_type = std::remove_cvref_t<decltype(std::declval<F const&>()(
        std::declval<typename X::value_type>()...))>;
    using space = typename detail::joined_space<typename X::space...>::type;
    static constexpr node_kind what = node_kind::map;
    static constexpr std::size_t rank = detail::max_of<X::rank...>;

    tuple<X...> x;

    FELT_FN F f() const { return {}; }
    FELT_FN tuple<X...> const& operands() const { return x; }
    template <class... Y>
    FELT_FN map_node<F, Y...> over(tuple<Y...> y) const {
        return {std::move(y)};
    }
    FELT_FN felt::extents<rank> extents() const {
        auto e = detail::ones<rank>();
        apply([&](auto const&... a) { (void)(detail::broadcast_into(e, a.extents()), ...); }, x);
        return e;
    }

    // A map of full reductions converts to its value: float m = mean(x);
    operator value_type() const
        requires(rank == 0)
    {
        return run_to_value(*this);
    }
    // clang-format off
    explicit operator bool() const requires(rank > 0) = delete;  // of many values: if (any(x > 0)), if (all(x > 0))
    // clang-format on
};

template <class F, class... X>
    requires(!std::is_empty_v<F>)
struct FELT_LAZY map_node<F, X...> {
    using function = F;
    using value_type = std::remove_cvref_t<decltype(std::declval<F const&>()(
        std::declval<typename X::value_type>()...))>;
    using space = typename detail::joined_space<typename X::space...>::type;
    static constexpr node_kind what = node_kind::map;
    static constexpr std::size_t rank = detail::max_of<X::rank...>;

    tuple<X...> x;
    F state;

    FELT_FN F f() const { return state; }
    FELT_FN tuple<X...> const& operands() const { return x; }
    template <class... Y>
    FELT_FN map_node<F, Y...> over(tuple<Y...> y) const {
        return {std::move(y), state};
    }
    bool has_data_of(map_node const& n) const { return detail::equal_functions(state, n.state); }
    FELT_FN felt::extents<rank> extents() const {
        auto e = detail::ones<rank>();
        apply([&](auto const&... a) { (void)(detail::broadcast_into(e, a.extents()), ...); }, x);
        return e;
    }

    // A map of full reductions converts to its value: float m = mean(x);
    operator value_type() const
        requires(rank == 0)
    {
        return run_to_value(*this);
    }
    // clang-format off
    explicit operator bool() const requires(rank > 0) = delete;  // of many values: if (any(x > 0)), if (all(x > 0))
    // clang-format on
};

// A vector along an axis of what it meets: views/along.hpp.
template <int A, class X>
struct along_node;

namespace detail {
template <class X>
inline constexpr bool is_along = false;
template <int A, class X>
inline constexpr bool is_along<along_node<A, X>> = true;

// What meets R axes, and what a map makes of vectors along axes.
template <std::size_t R, class X>
auto among_axes(X x) {
    return x;
}
template <std::size_t R, int A, class X>
auto among_axes(along_node<A, X> const& n);
template <class F, class... X>
auto map_along(F const& f, X const&... x);
}  // namespace detail

template <class F, class... X>
    requires(detail::is_along<X> || ...)
auto make_map(F const& f, X const&... x) {
    return detail::map_along(f, x...);
}
// The node, after the shapes have been found to agree. Throws shape_error otherwise.
template <class F, class... X>
    requires(!(detail::is_along<X> || ...))
map_node<F, X...> make_map(F const& f, X... x) {
    auto e = detail::ones<detail::max_of<X::rank...>>();
    if (!(detail::broadcast_into(e, shape_of(x)) && ...)) {
        apart<&detail::broadcast_fails>::call(function_name<F>(), {shape_of(x)...});
    }
    if constexpr (std::is_empty_v<F>) {
        return {felt::make_tuple(std::move(x)...)};
    } else {
        return {felt::make_tuple(std::move(x)...), f};
    }
}

template <class F, class... X>
concept function_accepts_elements =
    requires(std::decay_t<F const&> const& f, value_of<X>... x) { f(x...); };

template <class F, class... X>
concept function_yields_elements =
    element<std::remove_cvref_t<decltype(std::declval<std::decay_t<F const&> const&>()(
        std::declval<value_of<X>&>()...))>>;

// A function pointer or a std::function is the host's.
template <class F, class... Space>
concept function_is_known_in_space =
    (std::is_class_v<F> && std::is_trivially_copyable_v<F>) ||
    ((std::same_as<Space, Host> || std::same_as<Space, Anywhere>) && ...);

// A function of one's own. F takes numbers, and SIMD batches if it is to run at vector speed; it
// may branch. It is called as const, and must neither throw nor have side effects.
template <class F, operand... X>
    requires(array_operand<X> || ...) && operands_share_a_space<space_of<X>...> &&
            function_accepts_elements<F, X...> && function_yields_elements<F, X...> &&
            function_is_known_in_space<F, space_of<X>...>
auto map(F const& f, X&&... x) {
    using function = user_function<std::decay_t<F const&>>;
    return make_map(function{{f}}, detail::as_computed(std::forward<X>(x))...);
}

}  // namespace felt::inline FELT_ABI
