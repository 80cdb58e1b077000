// SPDX-License-Identifier: BSD-3-Clause
//
// The forward pass of a program: the statements of what it keeps, and of what rules read beside
// that (kept_beside.hpp), which is kept in memory of the program's own.
#pragma once
#include <felt/grad/kept_beside.hpp>
#include <felt/grad/parts.hpp>

namespace felt::inline FELT_ABI::derive {

template <class I>
inline constexpr bool part_keeps_beside = false;
template <class Name, class L, class E, class F>
inline constexpr bool part_keeps_beside<kept_value<Name, L, E, F>> = keeps_beside<E>;

template <class Items, class Statements, class Norms>
struct forward_pass {
    Items items;  // the parts, which know what is kept beside them
    Statements statements;
    Norms norms;  // known_norm
};

template <class F, class I, class S>
auto with_part(F const& done, I const& part, S const& statements) {
    auto items = join(done.items, felt::make_tuple(part));
    auto all = join(done.statements, statements);
    using N = std::remove_cvref_t<decltype(done.norms)>;
    return forward_pass<decltype(items), decltype(all), N>{std::move(items), std::move(all),
                                                           done.norms};
}

// Statistics of the norms in n, each once, those inside of others first.
template <class F, class N, class Space>
auto add_norms(F const& done, N const& n, program_memory<Space>& memory);
template <class F, class Space>
auto add_norms_of(F const& done, program_memory<Space>&) {
    return done;
}
template <class F, class Space, class X, class... Y>
auto add_norms_of(F const& done, program_memory<Space>& memory, X const& x, Y const&... y) {
    return add_norms_of(add_norms(done, x, memory), memory, y...);
}
template <class N, class... K>
inline constexpr bool is_new_norm = false;
template <class Name, class Y, class G, class B, class R, class... K>
inline constexpr bool is_new_norm<batch_norm_node<Name, Y, G, B, R>, K...> = !is_known<Name, K...>;
template <class N, class Items, class S, class... K, class Space>
auto add_norm(forward_pass<Items, S, tuple<K...>> const& done, N const& n,
              program_memory<Space>& memory) {
    if constexpr (!is_new_norm<N, K...>) {
        return done;
    } else {
        auto const of = apply(
            [&](auto const&... x) {
                return n.over(felt::make_tuple(with_known(x, done.norms)...));
            },
            n.operands());
        auto const made = norm_maker<Space>{memory}.make(of);
        auto all = join(done.statements, made.statements);
        auto norms = join(done.norms, felt::make_tuple(made.norm));
        return forward_pass<Items, decltype(all), decltype(norms)>{done.items, std::move(all),
                                                                   std::move(norms)};
    }
}
template <class F, class N, class Space>
auto add_norms(F const& done, N const& n, program_memory<Space>& memory) {
    if constexpr (!has_norm<N>) {
        return done;
    } else {
        auto const inner =
            apply([&](auto const&... x) { return add_norms_of(done, memory, x...); }, n.operands());
        return add_norm(inner, n, memory);
    }
}
// A part with known norms.
template <class Name, class L, class E, class F, class Norms>
auto part_with(kept_value<Name, L, E, F> const& part, Norms const& norms) {
    auto e = with_known(part.e, norms);
    return kept_value<Name, L, decltype(e), F>{{part.x}, std::move(e), part.f};
}
template <class Name, class E, class Norms>
auto part_with(let_node<Name, E> const& part, Norms const& norms) {
    return with_known(part, norms);
}
template <class F, class I, class Space>
    requires(!part_keeps_beside<I>)
auto add_part(F const& done, I const& part, program_memory<Space>& memory) {
    if constexpr (is_scan<I>) {
        auto const note = [&](auto const& item) {
            read_all(memory.order, item.expression());
            if constexpr (is_kept<std::remove_cvref_t<decltype(item)>>)
                memory.note_kept(item.label, item.series_memory(), true);
        };
        apply([&](auto const&... item) { (note(item), ...); }, part.items);
        return with_part(done, part, felt::make_tuple(forward_loop<I>{part}));
    } else if constexpr (is_kept<I>) {
        read_all(memory.order, part.e);
        memory.note_kept(I::label, part.memory(), false);
        return with_part(done, part, part.items());
    } else {
        return with_part(done, part, tuple<>{});
    }
}

template <class F, class Name, class L, class Rule, class... X, class A, class Space>
    requires keeps_beside<composed_node<Rule, X...>>
auto add_part(F const& done, kept_value<Name, L, composed_node<Rule, X...>, A> const& part,
              program_memory<Space>& memory) {
    read_all(memory.order, part.e);
    memory.note_kept(Name::text, part.memory(), false);
    auto const own = keep_beside(memory, Name::text, part.e, as_node(part.memory()), tuple<>{});
    using E = std::remove_cvref_t<decltype(own.n)>;
    kept_value<Name, L, E, A> const knows{{part.x}, own.n, part.f};
    return with_part(done, knows, join(part.items(), own.statements));  // lies as the value does
}

template <class F, class I, class Space>
auto add_with_norms(F const& done, I const& part, program_memory<Space>& memory) {
    if constexpr (is_scan<I>) {
        return add_part(done, part, memory);
    } else if constexpr (!has_norm<expression_of<I>>) {
        return add_part(done, part, memory);
    } else {
        auto const known = add_norms(done, part.expression(), memory);
        return add_part(known, part_with(part, known.norms), memory);
    }
}

template <class F, class Space>
auto forward_of(tuple<> const&, F const& done, program_memory<Space>&) {
    return done;
}
template <class I, class... J, class F, class Space>
auto forward_of(tuple<I, J...> const& items, F const& done, program_memory<Space>& memory) {
    auto const next = add_with_norms(done, items.head, memory);
    if constexpr (sizeof...(J) == 0) return next;
    else return forward_of(items.tail, next, memory);
}
template <class Items, class Space>
auto forward_of(Items const& items, program_memory<Space>& memory) {
    return forward_of(items, forward_pass<tuple<>, tuple<>, tuple<>>{}, memory);
}

// What a program does, without a backward pass.
template <class I>
auto items_of(I const& part) {
    if constexpr (is_scan<I>) return felt::make_tuple(forward_loop<I>{part});
    else if constexpr (is_kept<I>) return part.items();
    else return tuple<>{};
}
}  // namespace felt::inline FELT_ABI::derive

namespace felt::inline FELT_ABI {

// The values of a program.
template <class How, class... I>
void run(How how, program_of<I...> const& p) {
    auto const list = apply(
        [](auto const&... part) { return derive::join_all(derive::items_of(part)...); }, p.items);
    derive::run_list(how, list);
}

}  // namespace felt::inline FELT_ABI
