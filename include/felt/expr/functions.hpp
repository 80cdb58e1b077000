// SPDX-License-Identifier: BSD-3-Clause
//
// The public elementwise functions. All broadcast; NaN follows NumPy. Each is one row of
// rows.hpp; here is what a user writes, and the type it is computed in.
#pragma once
#include <felt/expr/promote.hpp>
#include <felt/expr/rows.hpp>
#include <limits>

namespace felt::inline FELT_ABI {

// Operators of two foreign arrays are the other library's, even under `using namespace felt`.
template <class... X>
concept felt_is_meant = ((node<X> || strided_array<X>) || ...);

// What is not said of complex numbers.
template <class X>
concept real_operand = array_operand<X> && elements_are_real<X>;

// Integers are taken as double.
// clang-format off
template <array_operand X> auto exp(X&& x)     { return map_as<floating_t<X>>(op::exp{}, std::forward<X>(x)); }
template <array_operand X> auto log(X&& x)     { return map_as<floating_t<X>>(op::log{}, std::forward<X>(x)); }
template <real_operand X> auto log1p(X&& x)   { return map_as<floating_t<X>>(op::log1p{}, std::forward<X>(x)); }
template <array_operand X> auto sqrt(X&& x)    { return map_as<floating_t<X>>(op::sqrt{}, std::forward<X>(x)); }
template <array_operand X> auto tanh(X&& x)    { return map_as<floating_t<X>>(op::tanh{}, std::forward<X>(x)); }
template <real_operand X> auto sigmoid(X&& x) { return map_as<floating_t<X>>(op::sigmoid{}, std::forward<X>(x)); }  // 1 / (1 + exp(-x))
template <real_operand X> auto erf(X&& x)     { return map_as<floating_t<X>>(op::erf{}, std::forward<X>(x)); }
template <real_operand X> auto erfc(X&& x)    { return map_as<floating_t<X>>(op::erfc{}, std::forward<X>(x)); }  // 1 - erf(x)
template <real_operand X> auto gelu(X&& x)    { return map_as<floating_t<X>>(op::gelu{}, std::forward<X>(x)); }     // x / 2 (1 + erf(x / sqrt 2))
template <array_operand X> auto sin(X&& x) { return map_as<floating_t<X>>(op::sin{}, std::forward<X>(x)); }
template <array_operand X> auto cos(X&& x) { return map_as<floating_t<X>>(op::cos{}, std::forward<X>(x)); }
template <array_operand X> auto tan(X&& x) { return map_as<floating_t<X>>(op::tan{}, std::forward<X>(x)); }
template <real_operand X> auto asin(X&& x) { return map_as<floating_t<X>>(op::asin{}, std::forward<X>(x)); }
template <real_operand X> auto acos(X&& x) { return map_as<floating_t<X>>(op::acos{}, std::forward<X>(x)); }
template <real_operand X> auto atan(X&& x) { return map_as<floating_t<X>>(op::atan{}, std::forward<X>(x)); }
template <array_operand X> auto sinh(X&& x) { return map_as<floating_t<X>>(op::sinh{}, std::forward<X>(x)); }
template <array_operand X> auto cosh(X&& x) { return map_as<floating_t<X>>(op::cosh{}, std::forward<X>(x)); }
template <real_operand X> auto asinh(X&& x) { return map_as<floating_t<X>>(op::asinh{}, std::forward<X>(x)); }
template <real_operand X> auto acosh(X&& x) { return map_as<floating_t<X>>(op::acosh{}, std::forward<X>(x)); }
template <real_operand X> auto atanh(X&& x) { return map_as<floating_t<X>>(op::atanh{}, std::forward<X>(x)); }
template <real_operand X> auto exp2(X&& x) { return map_as<floating_t<X>>(op::exp2{}, std::forward<X>(x)); }
template <real_operand X> auto expm1(X&& x) { return map_as<floating_t<X>>(op::expm1{}, std::forward<X>(x)); }  // e^x - 1
template <real_operand X> auto log2(X&& x) { return map_as<floating_t<X>>(op::log2{}, std::forward<X>(x)); }
template <real_operand X> auto log10(X&& x) { return map_as<floating_t<X>>(op::log10{}, std::forward<X>(x)); }
template <real_operand X> auto cbrt(X&& x) { return map_as<floating_t<X>>(op::cbrt{}, std::forward<X>(x)); }
template <real_operand X> auto rsqrt(X&& x) { return map_as<floating_t<X>>(op::rsqrt{}, std::forward<X>(x)); }  // 1 / sqrt(x)
template <real_operand X> auto softplus(X&& x) { return map_as<floating_t<X>>(op::softplus{}, std::forward<X>(x)); }  // log(1 + e^x)
template <real_operand X> auto silu(X&& x) { return map_as<floating_t<X>>(op::silu{}, std::forward<X>(x)); }  // x sigmoid(x)
template <array_operand X> auto reciprocal(X&& x) { return map_as<floating_t<X>>(op::divide{}, 1, std::forward<X>(x)); }  // 1 / x

// Functions of every number.
template <real_operand X> auto floor(X&& x)  { return map_as<arithmetic_t<X>>(op::floor{}, std::forward<X>(x)); }
template <array_operand X> auto abs(X&& x)    { return map_as<arithmetic_t<X>>(op::abs{}, std::forward<X>(x)); }
template <real_operand X> auto sign(X&& x)   { return map_as<arithmetic_t<X>>(op::sign{}, std::forward<X>(x)); }    // -1, 0 or 1
template <array_operand X> auto square(X&& x) { return map_as<arithmetic_t<X>>(op::square{}, std::forward<X>(x)); }
template <real_operand X> auto relu(X&& x)   { return map_as<arithmetic_t<X>>(op::relu{}, std::forward<X>(x)); }    // max(x, 0)
template <real_operand X> auto ceil(X&& x) { return map_as<arithmetic_t<X>>(op::ceil{}, std::forward<X>(x)); }
template <real_operand X> auto round(X&& x) { return map_as<arithmetic_t<X>>(op::round{}, std::forward<X>(x)); }  // the nearest integer, of halves the even one
template <real_operand X> auto trunc(X&& x) { return map_as<arithmetic_t<X>>(op::trunc{}, std::forward<X>(x)); }  // towards zero
template <array_operand X> auto isnan(X&& x) { return map_as<meet_t<X>>(op::isnan{}, std::forward<X>(x)); }
template <array_operand X> auto isinf(X&& x) { return map_as<meet_t<X>>(op::isinf{}, std::forward<X>(x)); }
template <array_operand X> auto isfinite(X&& x) { return map_as<meet_t<X>>(op::isfinite{}, std::forward<X>(x)); }
template <real_operand X> auto signbit(X&& x) { return map_as<meet_t<X>>(op::signbit{}, std::forward<X>(x)); }  // x < 0, or -0, or a negative NaN
template <array_operand X> requires felt_is_meant<X>
auto operator-(X&& x) { return map_as<arithmetic_t<X>>(op::negate{}, std::forward<X>(x)); }
template <array_operand X> requires felt_is_meant<X>
auto operator!(X&& x) { return map_as<bool>(op::logical_not{}, std::forward<X>(x)); }
// clang-format on

namespace detail {
template <class... X>
concept any_array = (operand<X> && ...) && (array_operand<X> || ...);
}  // namespace detail

// Mixed memories are a mistake: copy with to<Space>() first.
template <class... X>
concept combines_with = detail::any_array<X...> && operands_share_a_space<space_of<X>...> &&
                        (complex_numbers_lie_on_host<value_of<X>, space_of<X>...> && ...);

template <class... X>
concept reals_combine = combines_with<X...> && (elements_are_real<X> && ...);

// clang-format off
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator+(A&& a, B&& b)  { return map_as<arithmetic_t<A, B>>(op::add{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator-(A&& a, B&& b)  { return map_as<arithmetic_t<A, B>>(op::subtract{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator*(A&& a, B&& b)  { return map_as<arithmetic_t<A, B>>(op::multiply{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator/(A&& a, B&& b)  { return map_as<arithmetic_t<A, B>>(op::divide{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires reals_combine<A, B> && felt_is_meant<A, B>
auto operator%(A&& a, B&& b)  { return map_as<arithmetic_t<A, B>>(op::fmod{}, std::forward<A>(a), std::forward<B>(b)); }  // the sign of a

// These take nothing.
template <class A> requires felt_is_meant<A> void operator+(A&&, refused_container<>);
template <class B> requires felt_is_meant<B> void operator+(refused_container<>, B&&);
template <class A> requires felt_is_meant<A> void operator-(A&&, refused_container<>);
template <class B> requires felt_is_meant<B> void operator-(refused_container<>, B&&);
template <class A> requires felt_is_meant<A> void operator*(A&&, refused_container<>);
template <class B> requires felt_is_meant<B> void operator*(refused_container<>, B&&);
template <class A> requires felt_is_meant<A> void operator/(A&&, refused_container<>);
template <class B> requires felt_is_meant<B> void operator/(refused_container<>, B&&);
template <class A> requires felt_is_meant<A> void operator%(A&&, refused_container<>);
template <class B> requires felt_is_meant<B> void operator%(refused_container<>, B&&);

template <class A, class B> requires reals_combine<A, B> && felt_is_meant<A, B>
auto operator<(A&& a, B&& b)  { return map_as<meet_t<A, B>>(op::less{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires reals_combine<A, B> && felt_is_meant<A, B>
auto operator<=(A&& a, B&& b) { return map_as<meet_t<A, B>>(op::less_equal{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires reals_combine<A, B> && felt_is_meant<A, B>
auto operator>(A&& a, B&& b)  { return map_as<meet_t<A, B>>(op::greater{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires reals_combine<A, B> && felt_is_meant<A, B>
auto operator>=(A&& a, B&& b) { return map_as<meet_t<A, B>>(op::greater_equal{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B> && (!reals_combine<A, B>)
void operator<(A&&, B&&) = delete;  // elements_are_real: complex numbers have no order; compare abs(z), real(z)
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B> && (!reals_combine<A, B>)
void operator<=(A&&, B&&) = delete;  // elements_are_real: complex numbers have no order; compare abs(z), real(z)
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B> && (!reals_combine<A, B>)
void operator>(A&&, B&&) = delete;  // elements_are_real: complex numbers have no order; compare abs(z), real(z)
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B> && (!reals_combine<A, B>)
void operator>=(A&&, B&&) = delete;  // elements_are_real: complex numbers have no order; compare abs(z), real(z)
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator==(A&& a, B&& b) { return map_as<meet_t<A, B>>(op::equal{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator!=(A&& a, B&& b) { return map_as<meet_t<A, B>>(op::not_equal{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator&&(A&& a, B&& b) { return map_as<bool>(op::logical_and{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator||(A&& a, B&& b) { return map_as<bool>(op::logical_or{}, std::forward<A>(a), std::forward<B>(b)); }

template <class A, class B> requires combines_with<A, B>
auto pow(A&& a, B&& b)     { return map_as<floating_t<A, B>>(op::pow{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires reals_combine<A, B>
auto maximum(A&& a, B&& b) { return map_as<meet_t<A, B>>(op::maximum{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires reals_combine<A, B>
auto minimum(A&& a, B&& b) { return map_as<meet_t<A, B>>(op::minimum{}, std::forward<A>(a), std::forward<B>(b)); }
template <class Y, class X> requires reals_combine<Y, X>
auto atan2(Y&& y, X&& x) { return map_as<floating_t<Y, X>>(op::atan2{}, std::forward<Y>(y), std::forward<X>(x)); }  // the angle of the point (x, y)
template <class A, class B> requires reals_combine<A, B>
auto hypot(A&& a, B&& b) { return map_as<floating_t<A, B>>(op::hypot{}, std::forward<A>(a), std::forward<B>(b)); }  // sqrt(a a + b b)
template <class A, class B> requires reals_combine<A, B>
auto copysign(A&& a, B&& b) { return map_as<floating_t<A, B>>(op::copysign{}, std::forward<A>(a), std::forward<B>(b)); }  // |a| with the sign of b
template <class A, class B> requires reals_combine<A, B>
auto nextafter(A&& a, B&& b) { return map_as<floating_t<A, B>>(op::nextafter{}, std::forward<A>(a), std::forward<B>(b)); }  // the number beside a, towards b
template <class A, class B> requires reals_combine<A, B>
auto logaddexp(A&& a, B&& b) { return map_as<floating_t<A, B>>(op::logaddexp{}, std::forward<A>(a), std::forward<B>(b)); }  // log(e^a + e^b)
template <class A, class B> requires reals_combine<A, B>
auto fmod(A&& a, B&& b) { return map_as<arithmetic_t<A, B>>(op::fmod{}, std::forward<A>(a), std::forward<B>(b)); }  // a - trunc(a / b) b, the sign of a
template <class A, class B> requires reals_combine<A, B>
auto remainder(A&& a, B&& b) { return map_as<arithmetic_t<A, B>>(op::remainder{}, std::forward<A>(a), std::forward<B>(b)); }  // a - floor(a / b) b, the sign of b
template <class A, class B> requires reals_combine<A, B>
auto floor_divide(A&& a, B&& b) { return map_as<arithmetic_t<A, B>>(op::floor_divide{}, std::forward<A>(a), std::forward<B>(b)); }  // floor(a / b)
template <class A, class B> requires combines_with<A, B>
auto logical_xor(A&& a, B&& b) { return map_as<bool>(op::not_equal{}, std::forward<A>(a), std::forward<B>(b)); }
// clang-format on

// sign(x) max(|x| - t, 0), the proximal map of t |x|.
template <class X, class T>
    requires reals_combine<X, T>
auto soft_threshold(X&& x, T&& t) {
    return map_as<arithmetic_t<X, T>>(op::soft_threshold{}, std::forward<X>(x), std::forward<T>(t));
}

// min(max(x, lo), hi).
template <class X, class L, class H>
    requires reals_combine<X, L, H>
auto clip(X&& x, L&& lo, H&& hi) {
    return map_as<arithmetic_t<X, L, H>>(op::clip{}, std::forward<X>(x), std::forward<L>(lo),
                                         std::forward<H>(hi));
}

// x where x > 0, else alpha (e^x - 1).
template <class X, class S = int>
    requires reals_combine<X, S>
auto elu(X&& x, S&& alpha = 1) {
    return map_as<floating_t<X, S>>(op::elu{}, std::forward<X>(x), std::forward<S>(alpha));
}

// x where x > 0, else slope x.
template <class X, class S = double>
    requires reals_combine<X, S>
auto leaky_relu(X&& x, S&& slope = 0.01) {
    return map_as<floating_t<X, S>>(op::leaky_relu{}, std::forward<X>(x), std::forward<S>(slope));
}

// a + t (b - a).
template <class A, class B, class T>
    requires reals_combine<A, B, T>
auto lerp(A&& a, B&& b, T&& t) {
    return map_as<arithmetic_t<A, B, T>>(op::lerp{}, std::forward<A>(a), std::forward<B>(b),
                                         std::forward<T>(t));
}

// x, with other numbers for NaN, infinity and -infinity: finite ones if left out.
template <real_operand X, class T = value_of<X>>
auto nan_to_num(X&& x, std::type_identity_t<T> nan = T(0),
                std::type_identity_t<T> above = std::numeric_limits<T>::max(),
                std::type_identity_t<T> below = std::numeric_limits<T>::lowest()) {
    return map_as<T>(op::nan_to_num{}, std::forward<X>(x), nan, above, below);
}

// a where c holds, else b.
template <class C, class A, class B>
    requires combines_with<C, A, B>
auto where(C&& c, A&& a, B&& b) {
    using T = meet_t<A, B>;
    return make_map(op::where{}, detail::to_type<bool>(as_node(std::forward<C>(c))),
                    detail::to_type<T>(as_node(std::forward<A>(a))),
                    detail::to_type<T>(as_node(std::forward<B>(b))));
}

}  // namespace felt::inline FELT_ABI
