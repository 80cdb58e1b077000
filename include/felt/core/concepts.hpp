// SPDX-License-Identifier: BSD-3-Clause
//
// The vocabulary of constraints. A rule is spelled as the sentence one wants to read in an error.
#pragma once
#include <felt/core/bfloat16.hpp>
#include <felt/core/complex.hpp>
#include <felt/core/extents.hpp>
#include <felt/core/spaces.hpp>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace felt::inline FELT_ABI {

// What a tensor can hold.
template <class T>
concept element =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, long double>) || is_complex<T> || is_bfloat16<T>;

// A node of an expression knows its element type, its shape, its space and its operands.
template <class T>
concept node = requires(std::remove_cvref_t<T> const& x) {
    typename std::remove_cvref_t<T>::value_type;
    typename std::remove_cvref_t<T>::space;
    { x.extents() } -> std::same_as<extents<std::remove_cvref_t<T>::rank>>;
    x.operands();
};

// Elements in memory: a tensor or a view of one.
template <class T>
concept strided_array = !node<T> && requires(std::remove_cvref_t<T>& x) {
    typename std::remove_cvref_t<T>::space;
    { x.extents() } -> std::same_as<extents<std::remove_cvref_t<T>::rank>>;
    { x.strides() } -> std::same_as<extents<std::remove_cvref_t<T>::rank>>;
    x.data();
};

// The door for other libraries' arrays: a specialisation has `static auto view(X&)`, which
// returns a felt::View of the same elements, and a type `borrows` if they outlive the X. One for
// a type that cannot enter has a type `is_lazy` or `has_no_rank` instead, which says why.
// felt/xtensor_arrays.hpp is an example.
template <class X>
struct foreign_array;

template <class X>
concept foreign_operand =
    requires(std::remove_reference_t<X>& x) { foreign_array<std::remove_cvref_t<X>>::view(x); };

template <class X>
concept foreign_expression_is_evaluated_first =
    !requires { typename foreign_array<std::remove_cvref_t<X>>::is_lazy; };
template <class X>
concept foreign_array_has_its_rank_in_its_type =
    !requires { typename foreign_array<std::remove_cvref_t<X>>::has_no_rank; };

// Something with a shape that can stand in an expression.
template <class X>
concept array_operand =
    foreign_expression_is_evaluated_first<X> && foreign_array_has_its_rank_in_its_type<X> &&
    (node<X> || strided_array<X> || foreign_operand<X>);

template <class X>
concept operand = array_operand<X> || element<std::remove_cvref_t<X>>;

namespace detail {
template <class X>
struct operand_facts : std::remove_cvref_t<X> {};
template <class X>
    requires node<X> || strided_array<X>
struct operand_facts<X> {
    using value_type = std::remove_const_t<typename std::remove_cvref_t<X>::value_type>;
    using space = typename std::remove_cvref_t<X>::space;
    static constexpr std::size_t rank = std::remove_cvref_t<X>::rank;
};
template <foreign_operand X>
struct operand_facts<X> : operand_facts<decltype(foreign_array<std::remove_cvref_t<X>>::view(
                              std::declval<std::remove_reference_t<X>&>()))> {};
template <class X>
    requires element<std::remove_cvref_t<X>>
struct operand_facts<X> {
    using value_type = std::remove_cvref_t<X>;
    using space = Anywhere;
    static constexpr std::size_t rank = 0;
};
}  // namespace detail

// Element type, space and rank of anything that can stand in an expression.
template <operand X>
using value_of = typename detail::operand_facts<X>::value_type;
template <operand X>
using space_of = typename detail::operand_facts<X>::space;
template <operand X>
inline constexpr std::size_t rank_of = detail::operand_facts<X>::rank;

namespace detail {
template <class From, class To>
concept number_fits =
    std::is_same_v<From, To> || std::is_same_v<From, bool> ||
    (std::is_integral_v<From> && std::is_integral_v<To> && sizeof(From) < sizeof(To) &&
     (std::is_signed_v<To> || std::is_unsigned_v<From>)) ||
    (std::is_integral_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool> &&
     sizeof(From) == sizeof(To) && std::is_signed_v<From> == std::is_signed_v<To>) ||
    (std::is_integral_v<From> && std::is_floating_point_v<To> && 2 * sizeof(From) <= sizeof(To)) ||
    (std::is_same_v<From, float> && std::is_same_v<To, double>) ||
    (is_bfloat16<From> && std::is_floating_point_v<To>) ||
    (is_bfloat16<To> && std::is_same_v<From, float>);  // rounded: that is what it is stored for
}  // namespace detail

// Values of From fit into To without loss: no narrowing in an assignment.
template <class From, class To>
concept converts_without_narrowing =
    (is_complex<To> || !is_complex<From>) && detail::number_fits<real_of<From>, real_of<To>>;

namespace detail {
template <class... S>
struct joined_space {
    using type = Anywhere;
};
template <class A, class... S>
struct joined_space<A, S...> {
    using type = join_space_t<A, typename joined_space<S...>::type>;
};
template <class S, class Joined>
inline constexpr bool goes_with = std::is_same_v<S, Anywhere> || std::is_same_v<S, Joined>;
}  // namespace detail

// Operands in different memories do not meet: copy with to<Space>() first.
template <class... S>
concept operands_share_a_space =
    (detail::goes_with<S, typename detail::joined_space<S...>::type> && ...);

// Devices compute real numbers; complex ones are computed on the host: copy with to<Host>() first.
template <class T, class... S>
concept complex_numbers_lie_on_host =
    !is_complex<T> || join_space_t<typename detail::joined_space<S...>::type, Host>::element_access;

// Complex numbers have no order, and more that real ones have.
template <class X>
concept elements_are_real = !is_complex<value_of<X>>;

template <class X>
concept has_rows_and_columns = rank_of<X> >= 2;

template <int Axis, std::size_t Rank>
concept axis_is_in_range =
    (Axis >= 0 ? Axis : Axis + static_cast<int>(Rank)) >= 0 &&
    (Axis >= 0 ? Axis : Axis + static_cast<int>(Rank)) < static_cast<int>(Rank);

// Axis -1 is the last.
template <int Axis, std::size_t Rank>
inline constexpr std::size_t axis_v =
    static_cast<std::size_t>(Axis >= 0 ? Axis : Axis + static_cast<int>(Rank));

namespace detail {
template <class A, class B>
constexpr auto promote() {
    if constexpr (is_bfloat16<A> || is_bfloat16<B>) return promote<computed_t<A>, computed_t<B>>();
    else if constexpr (std::is_same_v<A, B>) return A{};
    else if constexpr (is_complex<A> || is_complex<B>)
        return std::complex<decltype(promote<real_of<A>, real_of<B>>())>{};
    else if constexpr (std::is_same_v<A, bool>) return B{};
    else if constexpr (std::is_same_v<B, bool>) return A{};
    else if constexpr (std::is_integral_v<A> && std::is_integral_v<B> && sizeof(A) != sizeof(B))
        return std::conditional_t<(sizeof(A) > sizeof(B)), A, B>{};
    else return decltype(A{} + B{}){};
}
}  // namespace detail

// The type in which elements of A and of B meet.
template <class A, class B>
using promote_t = decltype(detail::promote<A, B>());

template <class D>
concept destination_is_writable =
    strided_array<D> &&
    !std::is_const_v<std::remove_pointer_t<decltype(std::declval<D&>().data())>>;

// A statement does not keep its destination: a tensor must have a name.
template <class D>
concept destination_outlives_statement =
    std::is_lvalue_reference_v<D> || std::is_trivially_destructible_v<D>;

// The rules of y = e. A scalar takes the destination's type unless that drops its fraction.
template <class D, class E>
concept expression_rank_fits_destination = rank_of<E> <= rank_of<D>;

template <class D, class E>
concept assignment_does_not_narrow =
    converts_without_narrowing<value_of<E>, value_of<D>> ||
    (element<std::remove_cvref_t<E>> &&
     (std::is_integral_v<value_of<E>> || std::is_floating_point_v<computed_t<value_of<D>>> ||
      is_complex<value_of<D>>) &&
     (is_complex<value_of<D>> || !is_complex<value_of<E>>));

template <class D, class E>
concept destination_and_expression_share_a_space = operands_share_a_space<space_of<E>, space_of<D>>;

template <class D, class E>
concept assignable_from =
    operand<E> && expression_rank_fits_destination<D, E> && assignment_does_not_narrow<D, E> &&
    destination_and_expression_share_a_space<D, E>;

}  // namespace felt::inline FELT_ABI
