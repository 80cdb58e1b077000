// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions that leave out NaN: over all axes or some, with keepdims as a last argument too. What
// has no NaN, as integers, is reduced as ever. Over nothing but NaN the largest, the smallest and
// the mean are NaN, the sum is 0 and the product 1.
#pragma once
#include <felt/expr/statistics.hpp>
#include <limits>

namespace felt::inline FELT_ABI {

namespace detail {
template <class T>
inline constexpr T no_number = std::numeric_limits<T>::quiet_NaN();
}  // namespace detail

namespace monoid {
// NaN is their identity.
struct nanmax : max {
    static constexpr char const* name = "nanmax";
    template <class T>
    static FELT_FN T identity() {
        return detail::no_number<T>;
    }
    FELT_FN auto operator()(auto x, auto y) const {
        return math::select(y == y, math::select(x >= y, x, y), x);
    }
};
struct nanmin : min {
    static constexpr char const* name = "nanmin";
    template <class T>
    static FELT_FN T identity() {
        return detail::no_number<T>;
    }
    FELT_FN auto operator()(auto x, auto y) const {
        return math::select(y == y, math::select(x <= y, x, y), x);
    }
};
}  // namespace monoid

template <class X>
concept may_hold_nan = std::is_floating_point_v<value_of<X>>;

namespace detail {
template <array_operand X>
auto without_nan(X&& x, value_of<X> instead) {
    auto n = as_node(std::forward<X>(x));
    if constexpr (may_hold_nan<X>) return where(isnan(n), instead, n);
    else return n;
}
// How many are numbers.
template <class T, int... Axes, class N, class... K>
auto count_numbers(N const& n, K... keep) {
    return cast<T>(sum<Axes...>(!isnan(n), keep...));
}
}  // namespace detail

// clang-format off
template <int... Axes, array_operand X, same_as_keepdims... K> requires axes_are_in_range<X, Axes...>
auto nansum(X&& x, K... keep)  { return sum<Axes...>(detail::without_nan(std::forward<X>(x), 0), keep...); }
template <int... Axes, array_operand X, same_as_keepdims... K> requires axes_are_in_range<X, Axes...>
auto nanprod(X&& x, K... keep) { return prod<Axes...>(detail::without_nan(std::forward<X>(x), 1), keep...); }
// clang-format on

template <int... Axes, array_operand X, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto nanmax(X&& x, K... keep) {
    if constexpr (may_hold_nan<X>) {
        return detail::kept<Axes...>(detail::reduce<monoid::nanmax, Axes...>(std::forward<X>(x)),
                                     detail::rank_constant<X>{}, keep...);
    } else {
        return felt::max<Axes...>(std::forward<X>(x), keep...);
    }
}
template <int... Axes, array_operand X, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto nanmin(X&& x, K... keep) {
    if constexpr (may_hold_nan<X>) {
        return detail::kept<Axes...>(detail::reduce<monoid::nanmin, Axes...>(std::forward<X>(x)),
                                     detail::rank_constant<X>{}, keep...);
    } else {
        return felt::min<Axes...>(std::forward<X>(x), keep...);
    }
}

// The sum of the numbers by how many they are.
template <int... Axes, array_operand X, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto nanmean(X&& x, K... keep) {
    if constexpr (may_hold_nan<X>) {
        auto n = as_node(std::forward<X>(x));
        return nansum<Axes...>(n, keep...) /
               detail::count_numbers<value_of<X>, Axes...>(n, keep...);
    } else {
        return mean<Axes...>(std::forward<X>(x), keep...);
    }
}

// The sum of their square distances from nanmean by max(count - ddof, 0).
template <int... Axes, array_operand X, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto nanvar(X&& x, var_options const& o, K... keep) {
    if constexpr (may_hold_nan<X>) {
        using T = value_of<X>;
        auto n = as_node(std::forward<X>(x));
        auto const far = square(n - nanmean<Axes...>(n, keepdims));  // NaN of infinities too
        auto total = sum<Axes...>(where(isnan(n), T(0), far), keep...);
        auto const count = detail::count_numbers<T, Axes...>(n, keep...);
        return std::move(total) / maximum(count - static_cast<T>(o.ddof), T(0));
    } else {
        return var<Axes...>(std::forward<X>(x), o, keep...);
    }
}
template <int... Axes, array_operand X, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto nanvar(X&& x, K... keep) {
    return nanvar<Axes...>(std::forward<X>(x), var_options{}, keep...);
}

// sqrt(nanvar).
template <int... Axes, array_operand X, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto nanstd(X&& x, var_options const& o, K... keep) {
    return sqrt(nanvar<Axes...>(std::forward<X>(x), o, keep...));
}
template <int... Axes, array_operand X, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto nanstd(X&& x, K... keep) {
    return sqrt(nanvar<Axes...>(std::forward<X>(x), keep...));
}

// clang-format off
// These take nothing.
template <int... Axes> void nansum(refused_axes<Axes...>, ...);
template <int... Axes> void nanprod(refused_axes<Axes...>, ...);
template <int... Axes> void nanmax(refused_axes<Axes...>, ...);
template <int... Axes> void nanmin(refused_axes<Axes...>, ...);
template <int... Axes> void nanmean(refused_axes<Axes...>, ...);
template <int... Axes> void nanvar(refused_axes<Axes...>, ...);
template <int... Axes> void nanstd(refused_axes<Axes...>, ...);
// clang-format on

}  // namespace felt::inline FELT_ABI
