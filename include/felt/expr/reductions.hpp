// SPDX-License-Identifier: BSD-3-Clause
//
// The public reductions: name(x) over all axes, name<Axes...>(x) over some, either with
// keepdims. Integers sum to index_t, their mean is double; argmax is the first position.
#pragma once
#include <felt/expr/reduce.hpp>

namespace felt::inline FELT_ABI {

namespace detail {
template <std::size_t Rank, int... Axes>
inline constexpr bool are_distinct =
    kept_axes(Rank, axis_mask<Rank, Axes...>()) == Rank - sizeof...(Axes);
}  // namespace detail

template <std::size_t Rank, int... Axes>
concept axes_are_distinct = detail::are_distinct<Rank, Axes...>;

// Every axis named must be an axis of x, once; negative ones count from the end.
template <class X, int... Axes>
concept axes_are_in_range =
    (axis_is_in_range<Axes, rank_of<X>> && ...) && axes_are_distinct<rank_of<X>, Axes...>;

namespace detail {

template <class M, int... Axes, class X>
auto reduce(X&& x) {
    using T = typename M::template result<computed_t<value_of<X>>>;
    constexpr unsigned mask =
        sizeof...(Axes) == 0 ? all_axes(rank_of<X>) : axis_mask<rank_of<X>, Axes...>();
    constexpr bool positions = requires { typename M::best; };
    auto n = [&] {
        if constexpr (positions) {
            return as_computed(std::forward<X>(x));
        } else {
            return to_type<T>(as_node(std::forward<X>(x)));
        }
    }();
    if constexpr (M::needs_elements) {
        auto const e = n.extents();
        for (std::size_t r = 0; r < e.rank; ++r) {
            if ((mask >> r & 1U) != 0 && e[r] == 0) {
                throw shape_error(std::string(M::name) + ": nothing along axis " +
                                  std::to_string(r) + " of " + to_string(e));
            }
        }
    }
    return reduce_node<M, mask, decltype(n)>{{std::move(n)}};
}

// Truth values go as 0 and 1 and come back: they are no numbers to batches.
template <class M, int... Axes, class X>
auto extreme(X&& x) {
    if constexpr (std::is_same_v<value_of<X>, bool>) {
        return cast<bool>(reduce<M, Axes...>(cast<unsigned char>(std::forward<X>(x))));
    } else {
        return reduce<M, Axes...>(std::forward<X>(x));
    }
}

// Put the reduced axes back with extent 1.
template <unsigned Mask, class N>
auto keep_dims(N&& n) {
    return insert_axes<Mask>(std::forward<N>(n), "keepdims");
}

template <int... Axes, class N>
auto with_dims(N&& n, auto rank) {
    constexpr unsigned mask =
        sizeof...(Axes) == 0 ? all_axes(rank()) : axis_mask<rank(), Axes...>();
    return keep_dims<mask>(std::forward<N>(n));
}
template <class X>
using rank_constant = std::integral_constant<std::size_t, rank_of<X>>;

// The reduction n along these axes, with what a caller said of them.
template <int... Axes, class N>
auto kept(N n, auto) {
    return n;
}
template <int... Axes, class N>
auto kept(N n, auto rank, keepdims_t) {
    return with_dims<Axes...>(std::move(n), rank);
}

}  // namespace detail

// clang-format off
template <int... Axes, array_operand X> requires axes_are_in_range<X, Axes...>
auto sum(X&& x)    { return detail::reduce<monoid::sum, Axes...>(std::forward<X>(x)); }
template <int... Axes, array_operand X> requires axes_are_in_range<X, Axes...>
auto prod(X&& x)   { return detail::reduce<monoid::prod, Axes...>(std::forward<X>(x)); }
template <int... Axes, real_operand X> requires axes_are_in_range<X, Axes...>
auto max(X&& x)    { return detail::extreme<monoid::max, Axes...>(std::forward<X>(x)); }
template <int... Axes, real_operand X> requires axes_are_in_range<X, Axes...>
auto min(X&& x)    { return detail::extreme<monoid::min, Axes...>(std::forward<X>(x)); }
template <int... Axes, real_operand X> requires axes_are_in_range<X, Axes...>
auto argmax(X&& x) { return detail::reduce<monoid::argmax, Axes...>(std::forward<X>(x)); }
template <int... Axes, real_operand X> requires axes_are_in_range<X, Axes...>
auto argmin(X&& x) { return detail::reduce<monoid::argmin, Axes...>(std::forward<X>(x)); }
template <int... Axes, array_operand X> requires axes_are_in_range<X, Axes...>
auto any(X&& x)    { return cast<bool>(detail::reduce<monoid::any, Axes...>(cast<unsigned char>(cast<bool>(std::forward<X>(x))))); }
template <int... Axes, array_operand X> requires axes_are_in_range<X, Axes...>
auto all(X&& x)    { return cast<bool>(detail::reduce<monoid::all, Axes...>(cast<unsigned char>(cast<bool>(std::forward<X>(x))))); }

// sum / count.
template <int... Axes, array_operand X> requires axes_are_in_range<X, Axes...>
auto mean(X&& x) {
    using T = floating_t<X>;
    auto n = as_node(std::forward<X>(x));
    index_t const all = n.extents().size();
    auto total = detail::reduce<monoid::sum, Axes...>(cast<T>(std::move(n)));
    index_t const kept = total.extents().size();
    return std::move(total) / detail::number_as<T>(kept > 0 ? all / kept : 1);
}

template <int... Axes, array_operand X> requires axes_are_in_range<X, Axes...>
auto sum(X&& x, keepdims_t)    { return detail::with_dims<Axes...>(sum<Axes...>(std::forward<X>(x)), detail::rank_constant<X>{}); }
template <int... Axes, array_operand X> requires axes_are_in_range<X, Axes...>
auto prod(X&& x, keepdims_t)   { return detail::with_dims<Axes...>(prod<Axes...>(std::forward<X>(x)), detail::rank_constant<X>{}); }
template <int... Axes, real_operand X> requires axes_are_in_range<X, Axes...>
auto max(X&& x, keepdims_t)    { return detail::with_dims<Axes...>(felt::max<Axes...>(std::forward<X>(x)), detail::rank_constant<X>{}); }
template <int... Axes, real_operand X> requires axes_are_in_range<X, Axes...>
auto min(X&& x, keepdims_t)    { return detail::with_dims<Axes...>(felt::min<Axes...>(std::forward<X>(x)), detail::rank_constant<X>{}); }
template <int... Axes, real_operand X> requires axes_are_in_range<X, Axes...>
auto argmax(X&& x, keepdims_t) { return detail::with_dims<Axes...>(argmax<Axes...>(std::forward<X>(x)), detail::rank_constant<X>{}); }
template <int... Axes, real_operand X> requires axes_are_in_range<X, Axes...>
auto argmin(X&& x, keepdims_t) { return detail::with_dims<Axes...>(argmin<Axes...>(std::forward<X>(x)), detail::rank_constant<X>{}); }
template <int... Axes, array_operand X> requires axes_are_in_range<X, Axes...>
auto any(X&& x, keepdims_t)    { return detail::with_dims<Axes...>(any<Axes...>(std::forward<X>(x)), detail::rank_constant<X>{}); }
template <int... Axes, array_operand X> requires axes_are_in_range<X, Axes...>
auto all(X&& x, keepdims_t)    { return detail::with_dims<Axes...>(felt::all<Axes...>(std::forward<X>(x)), detail::rank_constant<X>{}); }
template <int... Axes, array_operand X> requires axes_are_in_range<X, Axes...>
auto mean(X&& x, keepdims_t)   { return detail::with_dims<Axes...>(mean<Axes...>(std::forward<X>(x)), detail::rank_constant<X>{}); }

// How many are not 0; NaN is not.
template <int... Axes, array_operand X, same_as_keepdims... K> requires axes_are_in_range<X, Axes...>
auto count_nonzero(X&& x, K... keep) { return sum<Axes...>(cast<bool>(std::forward<X>(x)), keep...); }

// What else is reduced; these take nothing.
template <int... Axes> void sum(refused_axes<Axes...>, ...);
template <int... Axes> void prod(refused_axes<Axes...>, ...);
template <int... Axes> void max(refused_axes<Axes...>, ...);
template <int... Axes> void min(refused_axes<Axes...>, ...);
template <int... Axes> void argmax(refused_axes<Axes...>, ...);
template <int... Axes> void argmin(refused_axes<Axes...>, ...);
template <int... Axes> void any(refused_axes<Axes...>, ...);
template <int... Axes> void all(refused_axes<Axes...>, ...);
template <int... Axes> void mean(refused_axes<Axes...>, ...);
template <int... Axes> void count_nonzero(refused_axes<Axes...>, ...);
// clang-format on

// The larger of two tensors, element by element, is maximum(a, b).
template <int... Axes, array_operand A, array_operand B>
void max(A&&, B&&) = delete;  // use maximum
template <int... Axes, array_operand A, array_operand B>
void min(A&&, B&&) = delete;  // use minimum

}  // namespace felt::inline FELT_ABI
