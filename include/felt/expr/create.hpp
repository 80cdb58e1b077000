// SPDX-License-Identifier: BSD-3-Clause
//
// More tensors that are computed, not stored: ones, eye, linspace, arange, and those like another.
// Compositions of what fill.hpp has.
#pragma once
#include <felt/expr/fill.hpp>
#include <felt/expr/functions.hpp>
#include <cmath>

namespace felt::inline FELT_ABI {

template <element T, std::size_t R>
auto ones(extents<R> const& e) {
    return full(e, T(1));
}
template <element T, std::size_t R>
auto ones(extent_arg const (&e)[R]) {
    return full(make_extents(e), T(1));
}

// Of x's extents and type. They have no memory, so they meet x in x's space.
template <array_operand X, element V>
    requires assignment_does_not_narrow<X, V>
auto full_like(X&& x, V value) {
    return full(as_node(std::forward<X>(x)).extents(), static_cast<value_of<X>>(value));
}
template <array_operand X>
auto zeros_like(X&& x) {
    return full_like(std::forward<X>(x), value_of<X>(0));
}
template <array_operand X>
auto ones_like(X&& x) {
    return full_like(std::forward<X>(x), value_of<X>(1));
}

// n x m, 1 where j = i + k and else 0.
template <element T>
auto eye(extent_arg n, extent_arg m, index_t k = 0) {
    auto const e = checked_extents("eye", extents<2>{{n.value, m.value}});
    return cast<T>(expand_dims<1>(iota(e[0]) + k) == iota(e[1]));
}
template <element T>
auto eye(extent_arg n) {
    return eye<T>(n, n);
}

// n numbers at equal distances, from `first` to `last`, both exact; of one number, `first`. They
// are counted from the end that is nearer, each with at most three roundings.
template <std::floating_point T>
auto linspace(std::type_identity_t<T> first, std::type_identity_t<T> last, extent_arg n) {
    index_t const steps = checked_extents("linspace", extents<1>{{n.value}})[0] - 1;
    T const step = steps > 0 ? (last - first) / static_cast<T>(steps) : T(0);
    auto const i = iota(n.value);
    return where(i < (steps + 2) / 2, cast<T>(i) * step + first, last - cast<T>(steps - i) * step);
}

namespace detail {

// How many of first, first + step, .. come before last.
template <class A>
index_t count_of_steps(A first, A last, A step) {
    if constexpr (std::is_integral_v<A>) {
        if (step == 0) throw shape_error("arange: step 0");
        if ((step > 0) != (last > first)) return 0;
        return (last - first) / step + ((last - first) % step != 0 ? 1 : 0);
    } else {
        double const n = std::ceil((static_cast<double>(last) - static_cast<double>(first)) /
                                   static_cast<double>(step));
        if (n < 0x1p53) return n > 0 ? static_cast<index_t>(n) : 0;
        throw shape_error("arange: " + std::to_string(first) + " to " + std::to_string(last) +
                          " by " + std::to_string(step) + " has no length");
    }
}

// What arange counts in: integers in index_t, so that they are exact.
template <class... A>
using counted_in = std::conditional_t<(std::is_integral_v<A> && ...), std::common_type<index_t>,
                                      std::common_type<A...>>::type;

}  // namespace detail

template <class T, class... A>
concept arange_does_not_narrow =
    std::is_void_v<T> ||
    (element<T> && (std::is_floating_point_v<T> || std::is_integral_v<detail::counted_in<A...>>));

// start, start + step, .. before stop: ceil((stop - start) / step) of them. The type is index_t for
// integers, else that in which the arguments meet, unless T says it.
template <class T = void, element A, element B, element C>
    requires arange_does_not_narrow<T, A, B, C>
auto arange(A start, B stop, C step) {
    using U = detail::counted_in<A, B, C>;
    using To = std::conditional_t<std::is_void_v<T>, U, T>;
    using V = std::conditional_t<std::is_integral_v<U>, U, To>;
    auto const n = detail::count_of_steps<U>(static_cast<U>(start), static_cast<U>(stop),
                                             static_cast<U>(step));
    return cast<To>(iota<V>(n) * static_cast<V>(step) + static_cast<V>(start));
}
template <class T = void, element A, element B>
    requires arange_does_not_narrow<T, A, B>
auto arange(A start, B stop) {
    return arange<T>(start, stop, A(1));
}
template <class T = void, element B>
    requires arange_does_not_narrow<T, B>
auto arange(B stop) {
    return arange<T>(B(0), stop, B(1));
}

}  // namespace felt::inline FELT_ABI
