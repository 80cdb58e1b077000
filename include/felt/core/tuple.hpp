// SPDX-License-Identifier: BSD-3-Clause
//
// A tuple whose layout host and device compilers agree on: plain members, no empty bases.
#pragma once
#include <felt/core/config.hpp>
#include <cstddef>

namespace felt::inline FELT_ABI {

template <class... X>
struct tuple;

template <>
struct tuple<> {};

template <class A>
struct tuple<A> {
    A head;
};

template <class A, class B, class... X>
struct tuple<A, B, X...> {
    A head;
    tuple<B, X...> tail;
};

template <std::size_t I, class... X>
FELT_FN auto& get(tuple<X...>& t) {
    if constexpr (I == 0) {
        return t.head;
    } else {
        return get<I - 1>(t.tail);
    }
}

template <std::size_t I, class... X>
FELT_FN auto const& get(tuple<X...> const& t) {
    if constexpr (I == 0) {
        return t.head;
    } else {
        return get<I - 1>(t.tail);
    }
}

// For hosts alone: its operands may own memory, which no function of a device may move.
constexpr tuple<> make_tuple() { return {}; }

template <class A>
constexpr tuple<A> make_tuple(A a) {
    return {static_cast<A&&>(a)};
}

template <class A, class B, class... X>
constexpr tuple<A, B, X...> make_tuple(A a, B b, X... x) {
    return {static_cast<A&&>(a), felt::make_tuple(static_cast<B&&>(b), static_cast<X&&>(x)...)};
}

// a, and then the elements of rest, of which there are some.
template <class A, class... X>
constexpr tuple<A, X...> prepend(A a, tuple<X...> rest) {
    return {static_cast<A&&>(a), static_cast<tuple<X...>&&>(rest)};
}

namespace detail {

// f(before..., x...) with the elements of t, which has some. No lambda, in which nvcc checks anew
// who calls whom.
FELT_CALLS_EITHER template <class F, class T, class... Before>
FELT_FN decltype(auto) call_with(F& f, T& t, Before&... before) {
    if constexpr (requires { t.tail; }) return call_with(f, t.tail, before..., t.head);
    else return f(before..., t.head);
}

}  // namespace detail

// f(x...) with the elements of t.
FELT_CALLS_EITHER template <class F>
FELT_FN decltype(auto) apply(F&& f, tuple<>&) {
    return f();
}
FELT_CALLS_EITHER template <class F>
FELT_FN decltype(auto) apply(F&& f, tuple<> const&) {
    return f();
}
FELT_CALLS_EITHER template <class F, class A>
FELT_FN decltype(auto) apply(F&& f, tuple<A>& t) {
    return f(t.head);
}
FELT_CALLS_EITHER template <class F, class A>
FELT_FN decltype(auto) apply(F&& f, tuple<A> const& t) {
    return f(t.head);
}
FELT_CALLS_EITHER template <class F, class A, class B>
FELT_FN decltype(auto) apply(F&& f, tuple<A, B>& t) {
    return f(t.head, t.tail.head);
}
FELT_CALLS_EITHER template <class F, class A, class B>
FELT_FN decltype(auto) apply(F&& f, tuple<A, B> const& t) {
    return f(t.head, t.tail.head);
}
FELT_CALLS_EITHER template <class F, class A, class B, class C, class... X>
FELT_FN decltype(auto) apply(F&& f, tuple<A, B, C, X...>& t) {
    return detail::call_with(f, t.tail.tail, t.head, t.tail.head);
}
FELT_CALLS_EITHER template <class F, class A, class B, class C, class... X>
FELT_FN decltype(auto) apply(F&& f, tuple<A, B, C, X...> const& t) {
    return detail::call_with(f, t.tail.tail, t.head, t.tail.head);
}

}  // namespace felt::inline FELT_ABI
