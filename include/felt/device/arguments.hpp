// SPDX-License-Identifier: BSD-3-Clause
//
// Readers of elements whose leaves come as arguments: what reads them has all of its leaves at
// once.
#pragma once
#include <felt/device/readers.hpp>
#include <tuple>

namespace felt::inline FELT_ABI::device {

// Operand number I, which comes as an argument: these readers get all arguments, not loops.
template <std::size_t I>
struct argument_reader {
    template <class Arguments>
    FELT_FN auto operator()(Arguments const& all) const {
        return get<I>(all);
    }
};

// Readers whose leaves are arguments, from number First on.
template <std::size_t First>
struct numbered {
    template <class T, std::size_t R>
    static auto of(leaf_reader<T, R> const&) {
        return argument_reader<First>{};
    }
    template <class T>
    static auto of(scalar_reader<T> const& x) {
        return x;
    }
    template <class F, class T, class... X>
    static auto of(map_reader<F, T, X...> const& x) {
        auto all = operands(x.x);
        using tree = decltype(spread(
            [](auto... each) { return std::type_identity<map_reader<F, T, decltype(each)...>>{}; },
            all));
        using to = typename tree::type;
        if constexpr (requires { x.f; }) return to{x.f, all};
        else return to{all};
    }

    template <class X>
    static auto operands(tuple<X> const& x) {
        return felt::make_tuple(of(x.head));
    }
    template <class X, class Y, class... Z>
    static auto operands(tuple<X, Y, Z...> const& x) {
        constexpr std::size_t next = First + std::tuple_size_v<decltype(leaves(x.head))>;
        auto const rest = numbered<next>::operands(x.tail);
        return spread([&](auto const&... each) { return felt::make_tuple(of(x.head), each...); },
                      rest);
    }
};

// Those leaves.
template <class T, std::size_t R>
auto leaves(leaf_reader<T, R> const& x) {
    return std::tuple(x);
}
template <class T>
auto leaves(scalar_reader<T> const&) {
    return std::tuple();
}
template <class F, class T, class... X>
auto leaves(map_reader<F, T, X...> const& x) {
    return spread([](auto const&... each) { return std::tuple_cat(leaves(each)...); }, x.x);
}

// For devices: the arguments of a call as they are.
FELT_FN tuple<> arguments() { return {}; }
template <class A>
FELT_FN tuple<A> arguments(A a) {
    return {a};
}
template <class A, class B, class... X>
FELT_FN tuple<A, B, X...> arguments(A a, B b, X... x) {
    return {a, arguments(b, x...)};
}

// The element of one result.
template <class T, class X>
struct element_function {
    X x;

    template <class... A>
    FELT_FN T operator()(A... a) const {
        return static_cast<T>(x(arguments(a...)));
    }
};

}  // namespace felt::inline FELT_ABI::device
