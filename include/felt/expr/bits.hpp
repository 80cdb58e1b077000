// SPDX-License-Identifier: BSD-3-Clause
//
// The operators of integers: a & b, a | b, a ^ b, ~x, a << n, a >> n. Of bool the first four are
// logic, as for NumPy's masks: (x > 0) & (y < 1). Of floating numbers there are none.
#pragma once
#include <felt/expr/functions.hpp>

namespace felt::inline FELT_ABI {

namespace op {
// clang-format off
struct bit_and { static constexpr char const* name = "&"; FELT_FN auto operator()(auto x, auto y) const { return decltype(x)(x & y); } };
struct bit_or  { static constexpr char const* name = "|"; FELT_FN auto operator()(auto x, auto y) const { return decltype(x)(x | y); } };
struct bit_xor { static constexpr char const* name = "^"; FELT_FN auto operator()(auto x, auto y) const { return decltype(x)(x ^ y); } };
struct bit_not { static constexpr char const* name = "~"; FELT_FN auto operator()(auto x) const { return decltype(x)(~x); } };
struct shift_left  { static constexpr char const* name = "<<"; static constexpr int cost = 3; FELT_FN auto operator()(auto x, auto n) const { return math::shift_left(x, n); } };
struct shift_right { static constexpr char const* name = ">>"; static constexpr int cost = 3; FELT_FN auto operator()(auto x, auto n) const { return math::shift_right(x, n); } };
// clang-format on
}  // namespace op

// bool is an integer.
template <class... X>
concept operands_are_integers = (std::is_integral_v<value_of<X>> && ...);

template <class... X>
concept bits_combine = combines_with<X...> && felt_is_meant<X...> && operands_are_integers<X...>;

namespace detail {
// A number as a count of type T: one that no T holds shifts as far as the width of T does.
template <class T, class N>
decltype(auto) shift_count(N&& n) {
    if constexpr (element<std::remove_cvref_t<N>>) {
        constexpr auto width = static_cast<index_t>(8 * sizeof(T));
        auto const count = static_cast<index_t>(n);
        return static_cast<T>(count >= 0 && count < width ? count : width);
    } else {
        return std::forward<N>(n);
    }
}
}  // namespace detail

// clang-format off
template <class A, class B> requires bits_combine<A, B>
auto operator&(A&& a, B&& b) { return map_as<meet_t<A, B>>(op::bit_and{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires bits_combine<A, B>
auto operator|(A&& a, B&& b) { return map_as<meet_t<A, B>>(op::bit_or{}, std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires bits_combine<A, B>
auto operator^(A&& a, B&& b) {
    using T = meet_t<A, B>;
    using row = std::conditional_t<std::is_same_v<T, bool>, op::not_equal, op::bit_xor>;  // xsimd 8.1 takes ^ of conditions for |
    return map_as<T>(row{}, std::forward<A>(a), std::forward<B>(b));
}

template <class A, class N> requires bits_combine<A, N>
auto operator<<(A&& a, N&& n) {
    using T = arithmetic_t<A, N>;
    return map_as<T>(op::shift_left{}, std::forward<A>(a), detail::shift_count<T>(std::forward<N>(n)));
}
template <class A, class N> requires bits_combine<A, N>
auto operator>>(A&& a, N&& n) {
    using T = arithmetic_t<A, N>;
    return map_as<T>(op::shift_right{}, std::forward<A>(a), detail::shift_count<T>(std::forward<N>(n)));
}

template <array_operand X> requires bits_combine<X>
auto operator~(X&& x) {
    using T = value_of<X>;
    if constexpr (std::is_same_v<T, bool>) return map_as<bool>(op::logical_not{}, std::forward<X>(x));
    else return map_as<T>(op::bit_not{}, std::forward<X>(x));
}

// These take nothing.
template <class A> requires felt_is_meant<A> void operator&(A&&, refused_bits<A>);
template <class A> requires felt_is_meant<A> void operator|(A&&, refused_bits<A>);
template <class A> requires felt_is_meant<A> void operator^(A&&, refused_bits<A>);
template <class A> requires felt_is_meant<A> void operator<<(A&&, refused_bits<A>);
template <class A> requires felt_is_meant<A> void operator>>(A&&, refused_bits<A>);
void operator~(refused_bits<>);
// clang-format on

}  // namespace felt::inline FELT_ABI
