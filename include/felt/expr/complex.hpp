// SPDX-License-Identifier: BSD-3-Clause
//
// Complex numbers and their parts. Of memory real(x) and imag(x) are views by twice the strides,
// which may be written to: imag(z) = 0.f. Of an expression they are functions, or the parts that it
// was made of: real(complex(a, b)) is a.
#pragma once
#include <felt/expr/functions.hpp>
#include <felt/expr/view.hpp>

namespace felt::inline FELT_ABI {

namespace op {
// clang-format off
struct real    { static constexpr char const* name = "real";    FELT_CALLS_EITHER FELT_FN auto operator()(auto x) const { return x.real(); } };
struct imag    { static constexpr char const* name = "imag";    FELT_CALLS_EITHER FELT_FN auto operator()(auto x) const { return x.imag(); } };
struct conj    { static constexpr char const* name = "conj";    FELT_FN auto operator()(auto x) const { return math::conj(x); } };
struct angle   { static constexpr char const* name = "angle";   static constexpr int cost = 36; FELT_FN auto operator()(auto x) const { return math::angle(x); } };
struct squared_abs { static constexpr char const* name = "squared_abs"; FELT_FN auto operator()(auto x) const { return math::squared_abs(x); } };
// clang-format on
struct complex {
    static constexpr char const* name = "complex";
    FELT_CALLS_EITHER template <std::floating_point T>
    FELT_FN std::complex<T> operator()(T x, T y) const {
        return {x, y};
    }
};
}  // namespace op

template <class X>
concept elements_are_complex = is_complex<value_of<X>>;
template <class X>
concept complex_operand = array_operand<X> && elements_are_complex<X>;

namespace detail {

// The first or second of every two numbers, as they lie in memory (standard: [complex.numbers]).
template <int Part, class T, std::size_t R>
auto part_in_memory(T* data, extents<R> stride) {
    using V = real_of<std::remove_const_t<T>>;
    using P = std::conditional_t<std::is_const_v<T>, V const, V>;
    for (std::size_t r = 0; r != R; ++r) stride[r] *= 2;
    struct {
        P* data;
        extents<R> stride;
    } part{reinterpret_cast<P*>(data) + Part, stride};
    return part;
}

// Part of a node, where it lies if it does.
template <int Part, class X>
auto part_of_node(X x) {
    using function = std::conditional_t<Part == 0, op::real, op::imag>;
    return map_node<function, X>{{std::move(x)}};
}
template <int Part, class T, std::size_t R, class Space>
auto part_of_node(leaf<std::complex<T>, R, Space> x) {
    auto const part = part_in_memory<Part>(x.data, x.stride);
    return leaf<T, R, Space>{part.data, x.e, part.stride, x.owner};
}
template <int Part, class T>
auto part_of_node(scalar<std::complex<T>> x) {
    return scalar<T>{Part == 0 ? x.value.real() : x.value.imag()};
}
template <int Part, class X, class Y>
auto part_of_node(map_node<op::complex, X, Y> x) {
    return get<Part>(std::move(x.x));
}
template <int Part, class X>
auto part_of_node(map_node<op::conj, X> x) {
    auto part = part_of_node<Part>(std::move(x.x.head));
    if constexpr (Part == 0) return part;
    else return make_map(op::negate{}, std::move(part));
}
template <int Part, class X, std::size_t R>
    requires is_complex<typename X::value_type>
auto part_of_node(view_node<view_kind::affine, X, R> x) {
    auto part = part_of_node<Part>(std::move(x.x.head));
    return view_node<view_kind::affine, decltype(part), R>{{std::move(part)}, x.map, {}, x.name};
}

template <class X>
inline constexpr bool shows_memory =
    strided_array<X> &&
    (std::is_lvalue_reference_v<X> || std::is_trivially_destructible_v<std::remove_cvref_t<X>>);

template <int Part, class X>
auto part_of(X&& x) {
    if constexpr (shows_memory<X>) {
        auto const part = part_in_memory<Part>(x.data(), x.strides());
        using P = std::remove_pointer_t<decltype(part.data)>;
        return View<P, rank_of<X>, space_of<X>>(part.data, shape_of(x), part.stride);
    } else {
        return part_of_node<Part>(as_node(std::forward<X>(x)));
    }
}

}  // namespace detail

// The parts of complex numbers.
template <complex_operand X>
[[nodiscard]] auto real(X&& x) {
    return detail::part_of<0>(std::forward<X>(x));
}
template <complex_operand X>
[[nodiscard]] auto imag(X&& x) {
    return detail::part_of<1>(std::forward<X>(x));
}

// re + im i, from real numbers that meet in float or double.
template <class X, class Y>
    requires reals_combine<X, Y> &&
             complex_numbers_lie_on_host<std::complex<floating_t<X, Y>>, space_of<X>, space_of<Y>>
auto complex(X&& re, Y&& im) {
    return map_as<floating_t<X, Y>>(op::complex{}, std::forward<X>(re), std::forward<Y>(im));
}

// re - im i.
template <complex_operand X>
auto conj(X&& x) {
    return map_as<value_of<X>>(op::conj{}, std::forward<X>(x));
}

// The angle of the point (re, im), between -pi and pi.
template <complex_operand X>
auto angle(X&& x) {
    return map_as<value_of<X>>(op::angle{}, std::forward<X>(x));
}

namespace detail {
// |x|^2, x x of what is real.
template <class X>
auto squared_abs(X&& x) {
    if constexpr (elements_are_real<X>) return square(std::forward<X>(x));
    else return map_as<value_of<X>>(op::squared_abs{}, std::forward<X>(x));
}
}  // namespace detail

}  // namespace felt::inline FELT_ABI
