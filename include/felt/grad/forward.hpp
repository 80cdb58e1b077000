// SPDX-License-Identifier: BSD-3-Clause
//
// The forward pass of a program: the statements of what it keeps, and of what rules read beside
// that (where the maxima of a pool lie), which is kept in memory of the program's own.
#pragma once
#include <felt/grad/parts.hpp>
#include <felt/grad/workspace.hpp>

namespace felt::derive {

// The statement that writes e into memory of the program's own, and how it is read.
template <class V, class E>
auto own_statement(V const& to, E const& e) {
    auto s = detail::make_statement(to, e, false);
    s.owner = 0;  // it moves with the program
    return s;
}
template <class V>
auto own_leaf(V const& memory) {
    auto n = as_node(memory);
    n.owner = 0;
    return n;
}

// A rule whose derivatives read `kept` as well.
template <class Rule, class Kept>
struct rule_with_kept {
    Rule rule;
    Kept kept;

    auto make(auto const&... x) const { return rule.make(x...); }
    template <std::size_t I>
    auto pull(auto const& dy, auto const& y, auto const&... x) const {
        return rule.template pull<I>(dy, y, x..., kept);
    }
};
template <class E>
inline constexpr bool keeps_beside = false;
template <class Rule, class... X>
inline constexpr bool keeps_beside<composed_node<Rule, X...>> =
    requires(Rule const& rule, X const&... x) { rule.beside(x...); };

template <class I>
inline constexpr bool part_keeps_beside = false;
template <class Name, class L, class E, class F>
inline constexpr bool part_keeps_beside<kept_value<Name, L, E, F>> = keeps_beside<E>;

template <class Items, class Statements>
struct forward_pass {
    Items items;  // the parts, which know what is kept beside them
    Statements statements;
};

template <class F, class I, class S>
auto with_part(F const& done, I const& part, S const& statements) {
    auto items = join(done.items, felt::make_tuple(part));
    auto all = join(done.statements, statements);
    return forward_pass<decltype(items), decltype(all)>{std::move(items), std::move(all)};
}

template <class F, class I, class Space>
    requires(!part_keeps_beside<I>)
auto add_part(F const& done, I const& part, program_memory<Space>& memory) {
    if constexpr (is_scan<I>) {
        auto const note = [&](auto const& item) {
            if constexpr (is_kept<std::remove_cvref_t<decltype(item)>>)
                memory.note(program_value::kept, item.label, item.series_memory());
        };
        apply([&](auto const&... item) { (note(item), ...); }, part.items);
        return with_part(done, part, felt::make_tuple(forward_loop<I>{part}));
    } else if constexpr (is_kept<I>) {
        memory.note(program_value::kept, I::label, part.memory());
        return with_part(done, part, part.items());
    } else {
        return with_part(done, part, tuple<>{});
    }
}

template <class F, class Name, class L, class Rule, class... X, class A, class Space>
    requires keeps_beside<composed_node<Rule, X...>>
auto add_part(F const& done, kept_value<Name, L, composed_node<Rule, X...>, A> const& part,
              program_memory<Space>& memory) {
    memory.note(program_value::kept, Name::text, part.memory());
    auto const beside = apply([&](auto const&... x) { return part.e.rule.beside(x...); }, part.e.x);
    auto const to = memory.take(program_value::beside, Name::text, beside);
    auto const kept = own_leaf(to);
    using rule = rule_with_kept<Rule, std::remove_const_t<decltype(kept)>>;
    using E = composed_node<rule, X...>;
    kept_value<Name, L, E, A> const knows{{part.x}, E{part.e.x, {part.e.rule, kept}}, part.f};
    return with_part(done, knows, join(part.items(), felt::make_tuple(own_statement(to, beside))));
}

template <class F, class Space>
auto forward_of(tuple<> const&, F const& done, program_memory<Space>&) {
    return done;
}
template <class I, class... J, class F, class Space>
auto forward_of(tuple<I, J...> const& items, F const& done, program_memory<Space>& memory) {
    auto const next = add_part(done, items.head, memory);
    if constexpr (sizeof...(J) == 0) return next;
    else return forward_of(items.tail, next, memory);
}
template <class Items, class Space>
auto forward_of(Items const& items, program_memory<Space>& memory) {
    return forward_of(items, forward_pass<tuple<>, tuple<>>{}, memory);
}

// What a program does, without a backward pass.
template <class I>
auto items_of(I const& part) {
    if constexpr (is_scan<I>) return felt::make_tuple(forward_loop<I>{part});
    else if constexpr (is_kept<I>) return part.items();
    else return tuple<>{};
}
inline tuple<> items_of_all() { return {}; }
template <class I, class... J>
auto items_of_all(I const& first, J const&... next) {
    return join(items_of(first), items_of_all(next...));
}

}  // namespace felt::derive

namespace felt {

// The values of a program.
template <class How, class... I>
void run(How how, program_of<I...> const& p) {
    auto const list =
        apply([](auto const&... part) { return derive::items_of_all(part...); }, p.items);
    derive::run_list(how, tuple<>{}, list);
}

}  // namespace felt
