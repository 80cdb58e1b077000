// SPDX-License-Identifier: BSD-3-Clause
//
// A kernel that takes an expression and asks each of its nodes what a loop asks.
#pragma once
#include <felt/felt.hpp>

namespace test {

using felt::index_t;

// A number that depends on all that n and its operands say.
template <class N>
FELT_FN index_t question(N const& n) {
    index_t answer = n.extents().size();
    auto const ask = [&](auto const&... x) { ((answer += question(x)), ...); };
    apply(ask, n.operands());
    if constexpr (requires { n.g.at(answer); }) answer += static_cast<index_t>(n.g.at(answer));
    if constexpr (requires { n.limit(); }) answer += n.limit();
    if constexpr (requires { n.label_extents(); }) answer += n.label_extents()[0];
    if constexpr (requires { n.map.rule; }) answer += n.map.rule[0].offset;
    if constexpr (requires { typename N::monoid; }) {
        using T = typename N::value_type;
        T const x = static_cast<T>(answer);
        if constexpr (requires { N::monoid::better(x, x); }) answer += N::monoid::better(x, x);
        else answer += static_cast<index_t>(typename N::monoid{}(x, x));
    }
    if constexpr (requires(typename N::value_type x) { n.op(x, x); }) {
        auto const x = static_cast<typename N::value_type>(answer);
        answer += static_cast<index_t>(n.op(x, x));
    }
    if constexpr (requires { n.f(); }) {
        auto const compute = [&]<class... X>(X const&...) {
            return n.f()(static_cast<typename X::value_type>(answer)...);
        };
        answer += static_cast<index_t>(apply(compute, n.operands()));
    }
    return answer;
}
template <class T, std::size_t R, class Space, class E>
FELT_FN index_t question(felt::statement<T, R, Space, E> const& s) {
    return s.e.size() + question(s.expression);
}

template <std::size_t I, class N>
__global__ void take(N n, index_t* answer) {
    *answer = question(n);
}

}  // namespace test
