// SPDX-License-Identifier: BSD-3-Clause
//
// Operands of mixed types meet in one type before a function sees them: cast nodes are inserted.
// A scalar takes the tensors' type (x * 0.5 stays float) unless it is floating and they are not.
#pragma once
#include <felt/expr/map.hpp>

namespace felt::inline FELT_ABI {

namespace op {
// The row that changes the type of its operand; a plan counts it as no operation.
template <class To>
struct cast {
    static constexpr char const* name = "cast";
    using converts_to = To;
    template <class T>
    FELT_FN To operator()(T x) const {
        return detail::number_as<To>(x);
    }
};
}  // namespace op

namespace detail {

template <class T, class X>
auto to_type(X x) {
    if constexpr (std::is_same_v<typename X::value_type, T>) {
        return x;
    } else if constexpr (std::is_same_v<X, scalar<typename X::value_type>>) {
        return scalar<T>{number_as<T>(x.value)};
    } else if constexpr (is_along<X>) {
        return x.over(felt::make_tuple(to_type<T>(x.x.head)));
    } else {
        return map_node<op::cast<T>, X>{{std::move(x)}};
    }
}

// x as a node of what its elements are computed as.
template <operand X>
auto as_computed(X&& x) {
    return to_type<computed_t<value_of<X>>>(as_node(std::forward<X>(x)));
}

struct nothing {};

template <class A, class B>
struct meet_types {
    using type = promote_t<A, B>;
};
template <class A>
struct meet_types<A, nothing> {
    using type = A;
};
template <class B>
struct meet_types<nothing, B> {
    using type = B;
};
template <>
struct meet_types<nothing, nothing> {
    using type = nothing;
};
template <class A, class B>
using meet_types_t = typename meet_types<A, B>::type;

// The type of the arrays among X (Arrays), or of the scalars.
template <bool Arrays, class... X>
struct types_met {
    using type = nothing;
};
template <bool Arrays, class A, class... X>
struct types_met<Arrays, A, X...> {
    using rest = typename types_met<Arrays, X...>::type;
    using type =
        meet_types_t<std::conditional_t<array_operand<A> == Arrays, value_of<A>, nothing>, rest>;
};

template <class Array, class Scalar>
constexpr auto weak_meet() {
    if constexpr (std::is_same_v<Array, nothing>) return Scalar{};
    else if constexpr (std::is_same_v<Scalar, nothing>) return Array{};
    else if constexpr (std::is_same_v<Array, bool> ||
                       (std::is_integral_v<Array> && !std::is_integral_v<Scalar>))
        return Scalar{};
    else if constexpr (is_complex<Scalar> && !is_complex<Array>) return std::complex<Array>{};
    else return Array{};
}

}  // namespace detail

// The type in which the operands X of one function meet.
template <operand... X>
using meet_t =
    computed_t<decltype(detail::weak_meet<typename detail::types_met<true, X...>::type,
                                          typename detail::types_met<false, X...>::type>())>;

// The type in which arithmetic is done: bool counts as int.
template <operand... X>
using arithmetic_t = std::conditional_t<std::is_same_v<meet_t<X...>, bool>, int, meet_t<X...>>;

// The type in which exp, log and their like are done: integers become double.
template <operand... X>
using floating_t = std::conditional_t<std::is_integral_v<meet_t<X...>>, double, meet_t<X...>>;

// F over operands that have all been brought to T.
template <class T, class F, class... X>
auto map_as(F const& f, X&&... x) {
    return make_map(f, detail::to_type<T>(as_node(std::forward<X>(x)))...);
}

// A complex number becomes no real one: take real(x) or abs(x).
template <class To, class X>
concept complex_stays_complex = is_complex<To> || std::is_same_v<To, bool> || elements_are_real<X>;

// An expression of the same values as elements of type To.
template <element To, array_operand X>
    requires complex_stays_complex<To, X> && complex_numbers_lie_on_host<To, space_of<X>>
auto cast(X&& x) {
    return detail::to_type<To>(as_node(std::forward<X>(x)));
}

}  // namespace felt::inline FELT_ABI
