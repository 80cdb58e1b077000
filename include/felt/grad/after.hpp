// SPDX-License-Identifier: BSD-3-Clause
//
// What is done to a value after it was written and before it is read: keep<"r">(R, e, f) calls
// f(how, R) there, and f(how, dR) of the derivative by r. It is for what is its own adjoint, as the
// sum over ranks of a value to which all of them contribute.
//
// Statements on both sides of it are run apart, so the derivative by r is written as soon as what
// it depends on is known: where that is r alone, as in a penalty on it, then next to r.
#pragma once
#include <felt/core/fixed_string.hpp>
#include <felt/core/tuple.hpp>
#include <type_traits>
#include <utility>

namespace felt::inline FELT_ABI::derive {

// Among statements: f(how, to) for the value of that name.
template <class Name, class F, class V>
struct after {
    F f;
    V to;

    template <class How>
    void run(How how) const {
        auto memory = to;
        f(how, memory);
    }
};
// Among statements: those after it are another run.
struct run_boundary {
    template <class How>
    void run(How) const {}
};
// A derivative by the value of that name, which is written and handed to f next to it.
template <class Name, class S, class After>
struct early {
    S statement;
    After then;
};

// What is run by itself: after, or a loop of statements.
template <class I>
concept runs_by_itself = requires(I const& item) { item.run(0); };
template <class I>
concept has_statements = requires(I const& item) { item.statements(); };

template <class... I>
struct first_in {
    using type = void;
};
template <class X, class... I>
struct first_in<X, I...> {
    using type = X;
};
template <class... I>
using first_of = typename first_in<I...>::type;
inline constexpr tuple<> nothing_more{};

// Elements are copied once each: lists are long.
template <class Y>
Y join(tuple<> const&, Y const& y) {
    return y;
}
template <class X, class... More, class... Y>
tuple<X, More..., Y...> join(tuple<X, More...> const& x, tuple<Y...> const& y) {
    if constexpr (sizeof...(Y) == 0) return x;
    else if constexpr (sizeof...(More) == 0) return {x.head, y};
    else return {x.head, join(x.tail, y)};
}

inline tuple<> join_all() { return {}; }
template <class X, class... Y>
auto join_all(X const& x, Y const&... y) {
    return join(x, join_all(y...));
}

// The list with each early derivative next to its value.
template <class Name>
auto earlies_of(tuple<> const&) {
    return tuple<>{};
}
template <class Name, class Other, class S, class A, class... E>
auto earlies_of(tuple<early<Other, S, A>, E...> const& all) {
    auto const rest = [&] {
        if constexpr (sizeof...(E) == 0) return tuple<>{};
        else return earlies_of<Name>(all.tail);
    }();
    if constexpr (!std::is_same_v<Name, Other>) return rest;
    else return join(felt::make_tuple(all.head.statement, all.head.then), rest);
}
template <class I, class Early>
auto with_earlies_of(I const& item, Early const&) {
    return felt::make_tuple(item);
}
template <class Name, class F, class V, class Early>
auto with_earlies_of(after<Name, F, V> const& item, Early const& all) {
    return join(felt::make_tuple(item), earlies_of<Name>(all));
}
template <class... I, class Early>
auto with_earlies(tuple<I...> const& list, Early const& all) {
    if constexpr (sizeof...(I) == 0 || std::is_same_v<Early, tuple<>>) {
        return list;
    } else {
        auto const first = with_earlies_of(list.head, all);
        if constexpr (sizeof...(I) == 1) return first;
        else return join(first, with_earlies(list.tail, all));
    }
}

// The statements alone; those of a loop once.
template <class... I>
auto statements_in(tuple<I...> const& list) {
    if constexpr (sizeof...(I) == 0) {
        return list;
    } else {
        auto const rest = [&] {
            if constexpr (sizeof...(I) == 1) return tuple<>{};
            else return statements_in(list.tail);
        }();
        using first = std::remove_cvref_t<decltype(list.head)>;
        if constexpr (has_statements<first>) return join(list.head.statements(), rest);
        else if constexpr (runs_by_itself<first>) return rest;
        else return join(felt::make_tuple(list.head), rest);
    }
}

// Runs the list: what stands between two calls is one run(how, statements...).
template <class How, class... S>
void run_some(How how, tuple<S...> const& statements) {
    if constexpr (sizeof...(S) > 0) {
        apply([&](auto const&... s) { run(how, s...); }, statements);
    }
}
template <class How, class... I, class... S>
void run_list(How how, tuple<I...> const& list, S const&... before) {
    constexpr bool is_one = runs_by_itself<first_of<I...>>;
    if constexpr (sizeof...(S) > 0 && (is_one || sizeof...(I) == 0)) run(how, before...);
    if constexpr (sizeof...(I) > 0) {
        auto const& rest = [&]() -> auto& {
            if constexpr (sizeof...(I) == 1) return nothing_more;
            else return list.tail;
        }();
        if constexpr (is_one) {
            list.head.run(how);
            run_list(how, rest);
        } else {
            run_list(how, rest, before..., list.head);
        }
    }
}

}  // namespace felt::inline FELT_ABI::derive
