// SPDX-License-Identifier: BSD-3-Clause
//
// The public elementwise functions. All broadcast; NaN follows NumPy. Each is one row of
// rows.hpp; here is what a user writes, and the type it is computed in.
#pragma once
#include <felt/expr/promote.hpp>
#include <felt/expr/rows.hpp>

namespace felt {

// Operators of two foreign arrays are the other library's, even under `using namespace felt`.
template <class... X>
concept felt_is_meant = ((node<X> || strided_array<X>) || ...);

// Functions of real numbers: integers are taken as double.
// clang-format off
template <array_operand X> auto exp(X&& x)     { return map_as<floating_t<X>>(op::exp{}, std::forward<X>(x)); }
template <array_operand X> auto log(X&& x)     { return map_as<floating_t<X>>(op::log{}, std::forward<X>(x)); }
template <array_operand X> auto log1p(X&& x)   { return map_as<floating_t<X>>(op::log1p{}, std::forward<X>(x)); }
template <array_operand X> auto sqrt(X&& x)    { return map_as<floating_t<X>>(op::sqrt{}, std::forward<X>(x)); }
template <array_operand X> auto tanh(X&& x)    { return map_as<floating_t<X>>(op::tanh{}, std::forward<X>(x)); }
template <array_operand X> auto sigmoid(X&& x) { return map_as<floating_t<X>>(op::sigmoid{}, std::forward<X>(x)); }  // 1 / (1 + exp(-x))
template <array_operand X> auto erf(X&& x)     { return map_as<floating_t<X>>(op::erf{}, std::forward<X>(x)); }
template <array_operand X> auto gelu(X&& x)    { return map_as<floating_t<X>>(op::gelu{}, std::forward<X>(x)); }     // x / 2 (1 + erf(x / sqrt 2))

// Functions of every number.
template <array_operand X> auto floor(X&& x)  { return map_as<arithmetic_t<X>>(op::floor{}, std::forward<X>(x)); }
template <array_operand X> auto abs(X&& x)    { return map_as<arithmetic_t<X>>(op::abs{}, std::forward<X>(x)); }
template <array_operand X> auto sign(X&& x)   { return map_as<arithmetic_t<X>>(op::sign{}, std::forward<X>(x)); }    // -1, 0 or 1
template <array_operand X> auto square(X&& x) { return map_as<arithmetic_t<X>>(op::square{}, std::forward<X>(x)); }
template <array_operand X> auto relu(X&& x)   { return map_as<arithmetic_t<X>>(op::relu{}, std::forward<X>(x)); }    // max(x, 0)
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
concept combines_with = detail::any_array<X...> && operands_share_a_space<space_of<X>...>;

// clang-format off
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator+(A&& a, B&& b)  { return map_as<arithmetic_t<A, B>>(op::add{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator-(A&& a, B&& b)  { return map_as<arithmetic_t<A, B>>(op::subtract{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator*(A&& a, B&& b)  { return map_as<arithmetic_t<A, B>>(op::multiply{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator/(A&& a, B&& b)  { return map_as<arithmetic_t<A, B>>(op::divide{}, std::forward<A>(a), std::forward<B>(b)); }

// These take nothing.
template <class A> requires felt_is_meant<A> void operator+(A&&, refused_container<>);
template <class B> requires felt_is_meant<B> void operator+(refused_container<>, B&&);
template <class A> requires felt_is_meant<A> void operator-(A&&, refused_container<>);
template <class B> requires felt_is_meant<B> void operator-(refused_container<>, B&&);
template <class A> requires felt_is_meant<A> void operator*(A&&, refused_container<>);
template <class B> requires felt_is_meant<B> void operator*(refused_container<>, B&&);
template <class A> requires felt_is_meant<A> void operator/(A&&, refused_container<>);
template <class B> requires felt_is_meant<B> void operator/(refused_container<>, B&&);

template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator<(A&& a, B&& b)  { return map_as<meet_t<A, B>>(op::less{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator<=(A&& a, B&& b) { return map_as<meet_t<A, B>>(op::less_equal{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator>(A&& a, B&& b)  { return map_as<meet_t<A, B>>(op::greater{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B> && felt_is_meant<A, B>
auto operator>=(A&& a, B&& b) { return map_as<meet_t<A, B>>(op::greater_equal{}, std::forward<A>(a), std::forward<B>(b)); }
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
template <class A, class B> requires combines_with<A, B>
auto maximum(A&& a, B&& b) { return map_as<meet_t<A, B>>(op::maximum{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires combines_with<A, B>
auto minimum(A&& a, B&& b) { return map_as<meet_t<A, B>>(op::minimum{}, std::forward<A>(a), std::forward<B>(b)); }
// clang-format on

// sign(x) max(|x| - t, 0), the proximal map of t |x|.
template <class X, class T>
    requires combines_with<X, T>
auto soft_threshold(X&& x, T&& t) {
    return map_as<arithmetic_t<X, T>>(op::soft_threshold{}, std::forward<X>(x), std::forward<T>(t));
}

// min(max(x, lo), hi).
template <class X, class L, class H>
    requires combines_with<X, L, H>
auto clip(X&& x, L&& lo, H&& hi) {
    return map_as<arithmetic_t<X, L, H>>(op::clip{}, std::forward<X>(x), std::forward<L>(lo),
                                         std::forward<H>(hi));
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

}  // namespace felt
