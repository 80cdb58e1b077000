// SPDX-License-Identifier: BSD-3-Clause
//
// What a composition's rule keeps beside its value, for its derivatives to read: rule.beside(x...),
// then rule.beside(x..., kept), and so on. make and pull are handed what is kept after x.
#pragma once
#include <felt/grad/known_norm.hpp>

namespace felt::inline FELT_ABI::derive {

// Beside the value y, if it has a name and is written, or beside the cost. (Where the maxima of a
// pool lie; log sum exp of scores.)
template <class Rule, class... Kept>
struct rule_with_kept {
    Rule rule;
    tuple<Kept...> kept;

    auto make(auto const&... x) const {
        constexpr bool reads = requires(Kept const&... k) { rule.make(x..., k...); };
        return apply(
            [&](auto const&... k) {
                if constexpr (reads) return rule.make(x..., k...);
                else return rule.make(x...);
            },
            kept);
    }
    auto beside(auto const&... x) const
        requires requires(Rule const& r, Kept const&... k) { r.beside(x..., k...); }
    {
        return apply([&](auto const&... k) { return rule.beside(x..., k...); }, kept);
    }
    template <std::size_t I>
    auto pull(auto const& dy, auto const& y, auto const&... x) const {
        return apply([&](auto const&... k) { return rule.template pull<I>(dy, y, x..., k...); },
                     kept);
    }
};
template <class Rule, class K>
auto with_kept(Rule const& rule, K const& k) {
    return rule_with_kept<Rule, K>{rule, felt::make_tuple(k)};
}
template <class Rule, class... Kept, class K>
auto with_kept(rule_with_kept<Rule, Kept...> const& of, K const& k) {
    return rule_with_kept<Rule, Kept..., K>{of.rule, append(k, of.kept)};
}

template <class E>
inline constexpr bool keeps_beside = false;
template <class Rule, class... X>
inline constexpr bool keeps_beside<composed_node<Rule, X...>> =
    requires(Rule const& rule, X const&... x) { rule.beside(x...); };

template <class N, class S>
struct knowing {
    N n;
    S statements;
};
// n with all that it keeps, and the statements of that; `like`: as what it lies.
template <class Space, class N, class Like, class S>
auto keep_beside(program_memory<Space>& memory, char const* label, N const& n, Like const& like,
                 S const& statements) {
    if constexpr (!keeps_beside<N>) {
        return knowing<N, S>{n, statements};
    } else {
        auto const e = apply([&](auto const&... x) { return n.rule.beside(x...); }, n.x);
        read_all(memory.order, e);
        auto const to = memory.take(program_value::beside, label, e, like);
        auto const of = apply(
            [&]<class... X>(X const&...) {
                auto rule = with_kept(n.rule, own_leaf(to));
                return composed_node<decltype(rule), X...>{n.x, std::move(rule)};
            },
            n.x);
        return keep_beside(memory, label, of, like,
                           join(statements, felt::make_tuple(own_statement(to, e))));
    }
}

// Whether it is no work to compute E once more: values in memory, and elementwise of them.
template <class E>
inline constexpr bool is_cheap = false;
template <class Operands>
inline constexpr bool are_cheap = true;
template <class... X>
inline constexpr bool are_cheap<tuple<X...>> = (is_cheap<X> && ...);
template <node E>
inline constexpr bool is_cheap<E> =
    E::what != node_kind::contract && E::what != node_kind::reduce && are_cheap<operands_of<E>>;
template <class N>
inline constexpr bool reads_cheap_values = false;
template <class Rule, class... X>
inline constexpr bool reads_cheap_values<composed_node<Rule, X...>> =
    (is_cheap<std::remove_cvref_t<decltype(detail::plain(std::declval<X const&>()))>> && ...);

// What the rules in a cost keep. One whose operands are computed on the way keeps nothing: there
// would be two statements that compute them.
template <class N>
inline constexpr bool some_keep = false;
template <class Operands>
inline constexpr bool any_some_keep = false;
template <class... X>
inline constexpr bool any_some_keep<tuple<X...>> = (some_keep<X> || ...);
template <node N>
inline constexpr bool some_keep<N> =
    (keeps_beside<N> && reads_cheap_values<N>) || any_some_keep<operands_of<N>>;

template <class Space, class N, class S>
auto keep_beside_in(program_memory<Space>& memory, N const& n, S const& statements);
template <class Space, class X, class... Y, class... Done, class S>
auto keep_beside_each(program_memory<Space>& memory, tuple<X, Y...> const& x,
                      tuple<Done...> const& before, S const& statements) {
    auto first = keep_beside_in(memory, x.head, statements);
    auto done = append(first.n, before);
    if constexpr (sizeof...(Y) > 0) return keep_beside_each(memory, x.tail, done, first.statements);
    else
        return knowing<decltype(done), decltype(first.statements)>{std::move(done),
                                                                   std::move(first.statements)};
}
template <class Space, class N, class S>
auto keep_beside_in(program_memory<Space>& memory, N const& n, S const& statements) {
    if constexpr (!some_keep<N>) {
        return knowing<N, S>{n, statements};
    } else if constexpr (keeps_beside<N>) {
        return keep_beside(memory, "the cost", n, n, statements);
    } else {
        auto const all = keep_beside_each(memory, n.operands(), tuple<>{}, statements);
        auto of = n.over(all.n);
        return knowing<decltype(of), std::remove_cvref_t<decltype(all.statements)>>{std::move(of),
                                                                                    all.statements};
    }
}

}  // namespace felt::inline FELT_ABI::derive
