// SPDX-License-Identifier: BSD-3-Clause
//
// The backward pass of a scan: a loop over its steps from the last to the first, which writes
// derivatives by values of the cell, and after it the derivatives by what all steps share.
//
// Of values that such names go on into, derivatives are kept as a series; of others those of two
// steps, because a step reads what comes to its states from the one after it.
#pragma once
#include <felt/grad/cell_facts.hpp>
#include <felt/grad/forward.hpp>
#include <felt/grad/scan_links.hpp>

namespace felt::inline FELT_ABI::derive {

template <std::size_t R>
extents<R> row_major(extents<R> const& e) {
    return RowMajor::strides(e);
}
template <class T, std::size_t R, class Space>
auto steps_of(leaf<T, R, Space> const& all) {
    leaf<T, R - 1, Space> n{all.data, {}, {}, all.owner};
    for (std::size_t r = 0; r != R - 1; ++r) n.e[r] = all.e[r + 1], n.stride[r] = all.stride[r + 1];
    return step_node<T, R - 1, Space>{n, all.stride[0], all.e[0], all.e[0]};
}

// All: its derivatives of all steps are kept.
template <bool All, class E, class Y, class D>
struct step_slot {
    E e;
    Y y;
    D d;  // step_node
};
struct no_slot {};
template <class S>
inline constexpr bool is_slot = !std::is_same_v<S, no_slot>;

// To write e at each step.
template <class D, class E>
struct step_statement {
    D to;
    E e;
};

template <class Scan, class Statements>
struct backward_loop {
    Scan scan;
    Statements list;  // step_statement

    auto at(index_t t) const {
        auto const one = [&](auto const& s) {
            return own_statement(memory_of(s.to.at(t)), at_step(s.e, scan.states(), t));
        };
        return apply([&](auto const&... s) { return felt::make_tuple(one(s)...); }, list);
    }
    // After the last step there is one whose derivatives are 0.
    template <class How>
    void run(How how) const {
        auto const zero = [&](auto const& s) {
            using T = typename std::remove_cvref_t<decltype(s.to)>::value_type;
            return own_statement(memory_of(s.to.at(scan.count)), scalar<T>{T(0)});
        };
        run_some(how, apply([&](auto const&... s) { return felt::make_tuple(zero(s)...); }, list));
        for (index_t t = scan.count; t-- > 0;) run_some(how, at(t));
    }
    auto statements() const { return at(0); }
    index_t times() const { return scan.count; }
};

template <class Scan, class Parts, class Own, class Outer, class Space, class... Option>
struct scan_backward;
template <class... S, class... J, class... I, class... D, class Outer, class Space, class... Option>
struct scan_backward<scan_of<tuple<S...>, J...>, tuple<I...>, tuple<D...>, Outer, Space,
                     Option...> {
    using scan_type = scan_of<tuple<S...>, J...>;
    using parts = tuple<I...>;
    using facts = cell_facts<tuple<S...>, parts, tuple<D...>, Outer>;

    program_memory<Space>& memory;
    scan_type const& scan;

    // own: zero, or the steps of what the cost and later parts say of each part.
    auto of(parts const& cell, tuple<D...> const& own) {
        auto const slots = slots_of(cell, std::index_sequence_for<I...>{});
        auto const states = felt::make_tuple(state_of<S>(slots)...);
        auto const list = sweep<sizeof...(I)>(cell, own, slots, states, tuple<>{});
        using List = std::remove_const_t<decltype(list)>;
        auto const at_first =
            apply([&](auto const&... s) { return felt::make_tuple(first(s)...); }, states);
        auto const series = in_series(slots);
        using series_type = std::remove_const_t<decltype(series)>;
        struct result {
            backward_loop<scan_type, List> loop;
            scan_link<series_type, std::remove_const_t<decltype(at_first)>> link;
        };
        return result{{scan, list}, {series, at_first}};
    }

private:
    template <class N>
    static auto placeholder(N const& n) {
        return leaf<typename N::value_type, N::rank, typename N::space>{nullptr, n.extents(), {}};
    }
    template <std::size_t... K>
    auto slots_of(parts const& cell, std::index_sequence<K...>) {
        return felt::make_tuple(slot_of<K>(get<K>(cell))...);
    }
    template <std::size_t K, class Part>
    auto slot_of(Part const& part) {
        if constexpr (!facts::active[K] || !facts::template written<Part, Option...>) {
            return no_slot{};
        } else {
            constexpr bool all = facts::template in_series<Part>;
            auto const at = narrowed<parts, typename facts::names>(part.expression(), part.value(),
                                                                   placeholder(part.value()));
            using E = std::remove_cvref_t<decltype(at.e)>;
            using Y = std::remove_cvref_t<decltype(at.y)>;
            index_t const steps = scan.count + 1;
            auto const d = series_of(Part::label, at.d, strides_of(part), all ? steps : 2, steps);
            return step_slot<all, E, Y, std::remove_const_t<decltype(d)>>{at.e, at.y, d};
        }
    }
    template <class Part>
    static auto strides_of(Part const& part) {
        if constexpr (is_kept<Part>) return part.x.first.stride;
        else return row_major(part.value().extents());
    }
    // As what it is the derivative of lies.
    template <class N, std::size_t Q>
    auto series_of(char const* label, N const& like, extents<Q> const& stride, index_t kept,
                   index_t count) {
        constexpr std::size_t R = rank_of<N>;
        auto const e = like.extents();
        auto const by = [&] {
            if constexpr (R == Q) return stride;
            else return row_major(e);
        }();
        auto const all = memory.own.template take_series<value_of<N>>(kept, e, by);
        memory.note(program_value::derivative, label, all);
        auto n = steps_of(own_leaf(all));
        n.count = count;
        return n;
    }

    // What comes to a state from the step that reads it.
    template <class State, class Slots>
    auto state_of(Slots const& slots) {
        auto const one = [](auto const& s) {
            if constexpr (!is_slot<std::remove_cvref_t<decltype(s)>>) return zero{};
            else return from_link<typename State::before>(linked(s));
        };
        auto const d = apply([&](auto const&... s) { return plus(zero{}, one(s)...); }, slots);
        auto const n = whole_or_zero(d);
        return state_link_to<State, std::remove_const_t<decltype(n)>>{n};
    }
    template <class State, class N>
    struct state_link_to {
        N d;
    };
    template <class N>
    static auto whole_or_zero(N const& d) {
        if constexpr (is_zero<N>) return d;
        else return whole(d);
    }
    template <bool All, class E, class Y, class N>
    static auto linked(step_slot<All, E, Y, N> const& s) {
        return link<E, Y, N>{s.e, s.y, s.d};
    }
    // At the first step.
    template <class State, class N>
    auto first(state_link_to<State, N> const& s) {
        if constexpr (is_zero<N>) {
            return state_link<typename State::before, zero>{};
        } else {
            auto const d = at_step(s.d, scan.states(), 0);
            return state_link<typename State::before, std::remove_const_t<decltype(d)>>{d};
        }
    }
    // From the step after, to the part that leaves the state.
    template <class Part, class State, class N>
    static auto next(state_link_to<State, N> const& s) {
        constexpr bool of_it = std::is_same_v<typename State::after, typename Part::name_of_part>;
        if constexpr (is_zero<N> || !of_it) return zero{};
        else return next_node<N>{{s.d}};
    }

    // Statements of parts K - 1, .., 0.
    template <std::size_t K, class Slots, class States, class List, class... L>
    auto sweep(parts const& cell, tuple<D...> const& own, Slots const& slots, States const& states,
               List const& list, L const&... links) {
        if constexpr (K == 0) {
            return list;
        } else if constexpr (!facts::active[K - 1]) {
            return sweep<K - 1>(cell, own, slots, states, list, links...);
        } else {
            auto const& part = get<K - 1>(cell);
            auto const& slot = get<K - 1>(slots);
            using Part = std::remove_cvref_t<decltype(part)>;
            auto const later =
                apply([&](auto const&... s) { return plus(zero{}, next<Part>(s)...); }, states);
            auto const d =
                plus(get<K - 1>(own), later, from_link<typename Part::name_of_part>(links)...);
            using N = std::remove_const_t<decltype(d)>;
            if constexpr (is_slot<std::remove_cvref_t<decltype(slot)>>) {
                auto const all = join(list, writing(part, slot, d));
                return sweep<K - 1>(cell, own, slots, states, all, linked(slot), links...);
            } else {
                using E = expression_of<Part>;
                using Y = std::remove_cvref_t<decltype(part.value())>;
                return sweep<K - 1>(cell, own, slots, states, list,
                                    link<E, Y, N>{part.expression(), part.value(), d}, links...);
            }
        }
    }
    // The statements that write d.
    template <class Part, bool All, class E, class Y, class To, class N>
    static auto writing(Part const& part, step_slot<All, E, Y, To> const& slot, N const& d) {
        if constexpr (is_parted<N> && std::is_same_v<E, expression_of<Part>>) {
            return each_part(d, slot.d.first, [&](auto const& at, auto const& e) {
                auto to = slot.d;
                to.first = at;
                return step_statement<To, std::remove_cvref_t<decltype(e)>>{to, e};
            });
        } else if constexpr (is_zero<N>) {
            using T = typename E::value_type;
            return felt::make_tuple(step_statement<To, scalar<T>>{slot.d, {T(0)}});
        } else {
            auto const e =
                narrowed<parts, typename facts::names>(part.expression(), part.value(), whole(d)).d;
            return felt::make_tuple(
                step_statement<To, std::remove_const_t<decltype(e)>>{slot.d, e});
        }
    }

    // The slots of all steps, as links between series.
    template <class... Slot>
    auto in_series(tuple<Slot...> const& slots) {
        return apply([&](auto const&... s) { return join_all(lifted(s)...); }, slots);
    }
    static auto lifted(no_slot) { return tuple<>{}; }
    template <bool All, class E, class Y, class N>
    auto lifted(step_slot<All, E, Y, N> const& s) {
        if constexpr (!All) {
            return tuple<>{};
        } else {
            auto const states = scan.states();
            using States = std::remove_const_t<decltype(states)>;
            over_steps<States> const lift{states, scan.count};
            auto const e = lift(s.e);
            auto const y = lift(s.y);
            auto const all = s.d.series(scan.count);
            auto const d = [&] {
                if constexpr (varies<States, E>) return all;
                else return as_node(sum<0>(all));  // what all steps share
            }();
            return felt::make_tuple(
                series_link<std::remove_const_t<decltype(e)>, std::remove_const_t<decltype(y)>,
                            std::remove_const_t<decltype(d)>>{e, y, d});
        }
    }
};

}  // namespace felt::inline FELT_ABI::derive
