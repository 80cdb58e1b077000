// SPDX-License-Identifier: BSD-3-Clause
//
// scan(cell, state<"h0", "h">, series<"x">): the program `cell` for every step of its series, as a
// recurrent layer computes:
//
//     auto const x = named<"x">(steps(X));         // (inputs at one step) of (steps, batch,
//     inputs) auto const h0 = named<"h0">(H0);             // what the first step finds: (batch,
//     hidden) auto const h = keep<"h">(steps(H), tanh(matmul(x, wx) + matmul(h0, wh) + b)); auto
//     const layer = scan(program(h), state<"h0", "h">, series<"x">); layer(fused); // H auto const
//     all = named<"h">(H);                                     // of all steps, in a cost auto g =
//     gradient(layer, sum(square(all - y)), wrt<"wx", "wh", "b">());
//
// state<"h0", "h">: h0 is h of the step before. Where h0 is steps(H) and h is kept in steps(H, 1),
// what the first step finds lies in front of what the steps leave.
//
// The cell is differentiated once. Derivatives by what all steps share are one product over all
// steps. gradient(program(e, layer, ..), ..) has statements before and after the loop.
#pragma once
#include <felt/grad/over_steps.hpp>
#include <felt/grad/program.hpp>

namespace felt::inline FELT_ABI {

template <class Before, class After>
struct state_names {
    using before = Before;
    using after = After;
};
template <fixed_string Before, fixed_string After>
inline constexpr state_names<literal_name<Before>, literal_name<After>> state{};

template <class... Name>
struct series_names {};
template <fixed_string... Name>
inline constexpr series_names<literal_name<Name>...> series{};

namespace derive {

template <class I>
inline constexpr bool is_scan = false;
template <class W, class N>
inline constexpr bool names_it = false;
template <class W, class X>
inline constexpr bool names_it<W, named_node<W, X>> = true;

// Parts of the cell, with which states it has.
template <class States, class Items>
struct scan_states;
template <class... S, class... I>
struct scan_states<tuple<S...>, tuple<I...>> {
    tuple<I...> const& items;

    template <class N>
    static constexpr bool has = (names_it<typename S::before, N> || ...);

    // What the steps leave for the state that n is.
    template <class Before, class X>
    auto const& after(named_node<Before, X> const&) const {
        constexpr std::size_t at = [] {
            std::size_t k = 0, found = 0;
            ((found = is_after_of<Before, I> ? k : found, ++k), ...);
            return found;
        }();
        return get<at>(items).x;
    }
    // The state at step t, which is in its series or was left by the step before.
    template <class N>
    auto before(N const& n, index_t t) const {
        return t == 0 ? detail::plain(n) : after(n).at(t - 1);
    }

private:
    template <class Before, class Item>
    static constexpr bool is_after_of =
        ((std::is_same_v<typename S::before, Before> &&
          std::is_same_v<typename S::after, typename Item::name_of_part>) ||
         ...);
};

// What all steps of a value must agree in.
[[noreturn]] FELT_PLANNING inline void scan_fails(char const* label, index_t count, index_t other) {
    throw shape_error(std::string("scan: \"") + label + "\" has " + std::to_string(count) +
                      " steps, not " + std::to_string(other));
}
template <class States, class N>
void check_steps(N const& n, index_t count) {
    if constexpr (!has_no_operands<N>) {
        apply([&](auto const&... x) { (check_steps<States>(x, count), ...); }, n.operands());
    } else if constexpr (is_step<N> && is_named_leaf<N>) {
        bool const fits = States::template has<N> ? n.x.count >= count : n.x.count == count;
        if (!fits) apart<&scan_fails>::call(N::label, n.x.count, count);
    } else if constexpr (is_step<N>) {
        if (n.count != count) apart<&scan_fails>::call("a series", n.count, count);
    }
}

template <class I>
inline constexpr bool may_be_of_a_cell = true;
template <class Name, class L, class E, class F>
inline constexpr bool may_be_of_a_cell<kept_value<Name, L, E, F>> =
    is_step<L> && !kept_value<Name, L, E, F>::acts_after;

template <class N, class W>
inline constexpr bool has_series = false;
template <class Operands, class W>
inline constexpr bool any_has_series = false;
template <class... X, class W>
inline constexpr bool any_has_series<tuple<X...>, W> = (has_series<X, W> || ...);
template <node N, class W>
inline constexpr bool has_series<N, W> =
    (is_step<N> && names_it<W, N>) || any_has_series<operands_of<N>, W>;
template <class N, class W>
inline constexpr bool has_leaf = false;
template <class Operands, class W>
inline constexpr bool any_has_leaf = false;
template <class... X, class W>
inline constexpr bool any_has_leaf<tuple<X...>, W> = (has_leaf<X, W> || ...);
template <node N, class W>
inline constexpr bool has_leaf<N, W> = names_it<W, N> || any_has_leaf<operands_of<N>, W>;

template <class S, class... I>
inline constexpr bool is_a_state = false;
template <class Before, class After, class... I>
inline constexpr bool is_a_state<state_names<Before, After>, I...> =
    (has_leaf<expression_of<I>, Before> || ...) &&
    (std::is_same_v<After, typename I::name_of_part> || ...);
template <class Name, class... I>
inline constexpr bool is_a_series = (has_series<expression_of<I>, Name> || ...);
template <class S, class... I>
inline constexpr bool are_series = false;
template <class... Name, class... I>
inline constexpr bool are_series<series_names<Name...>, I...> = (is_a_series<Name, I...> && ...);
template <class S>
inline constexpr bool is_state_names = false;
template <class B, class A>
inline constexpr bool is_state_names<state_names<B, A>> = true;

// The loop as an item of a list of statements.
template <class Scan>
struct forward_loop {
    Scan scan;
    template <class How>
    void run(How how) const {
        for (index_t t = 0; t < scan.count; ++t) run_some(how, scan.statements_at(t));
    }
    auto statements() const { return scan.statements_at(0); }
    index_t times() const { return scan.count; }
};

}  // namespace derive

// Keeps e in a step of a series: what a cell leaves there.
template <fixed_string Name, class T, std::size_t R, class Space, array_operand E>
auto keep(step_node<T, R, Space> const& y, E&& e) {
    static_assert(!std::is_const_v<T>, "keep: the series is constant");
    auto n = detail::to_type<T>(detail::among_axes<R>(as_node(std::forward<E>(e))));
    auto at_first = View<T, R, Space>(const_cast<T*>(y.first.data), y.first.e, y.first.stride);
    (void)detail::memory_for(n.extents(), at_first);
    return kept_value<literal_name<Name>, step_node<T, R, Space>, decltype(n)>{
        {y}, std::move(n), {}};
}

// Parts I, of states in a tuple.
template <class States, class... I>
struct scan_of {
    static constexpr char const* label = "";
    using parts_of_cell = tuple<I...>;
    using states_of_cell = States;

    tuple<I...> items;
    index_t count;

    derive::scan_states<States, tuple<I...>> states() const { return {items}; }
    auto statements_at(index_t t) const { return at(items, t); }

    // All steps.
    template <class How>
    void operator()(How how) const {
        derive::forward_loop<scan_of>{*this}.run(how);
    }

private:
    template <class J, class... K>
    auto at(tuple<J, K...> const& some, index_t t) const {
        auto const first = at(some.head, t);
        if constexpr (sizeof...(K) == 0) return first;
        else return derive::join(first, at(some.tail, t));
    }
    template <class J>
    auto at(J const& item, index_t t) const {
        if constexpr (derive::is_kept<J>) {
            auto const to = item.memory_at(t);
            return felt::make_tuple(
                detail::make_statement(to, derive::at_step(item.e, states(), t), false));
        } else {
            return tuple<>{};
        }
    }
};

namespace derive {
template <class States, class... I>
inline constexpr bool is_scan<scan_of<States, I...>> = true;

// The states among names.
template <class... S>
struct states_among {
    using type = tuple<>;
};
template <class S, class... T>
struct states_among<S, T...> : states_among<T...> {};
template <class B, class A, class... T>
struct states_among<state_names<B, A>, T...> {
    template <class... S>
    static tuple<state_names<B, A>, S...> with(tuple<S...> const*);
    using type = decltype(with(static_cast<typename states_among<T...>::type const*>(nullptr)));
};
template <class... S>
using states_in = typename states_among<S...>::type;

template <class... I>
index_t count_steps(tuple<I...> const& items) {
    index_t count = -1;
    auto const look = [&](auto const& item) {
        if constexpr (is_kept<std::remove_cvref_t<decltype(item)>>) {
            if (count < 0) count = item.x.count;
            if (item.x.count != count) {
                apart<&scan_fails>::call(item.label, item.x.count, count);
            }
        }
    };
    apply([&](auto const&... item) { (look(item), ...); }, items);
    return count;
}
}  // namespace derive

// Every kept value of a cell is in steps(..), and nothing is done after it was written.
template <class... I>
concept parts_are_of_a_cell = (derive::may_be_of_a_cell<I> && ...) && (derive::is_kept<I> || ...);
// state<"h0", "h">: the cell reads "h0" and keeps "h"; series<"x">: it reads steps named "x".
template <class S, class... I>
concept cell_has_the_names = derive::is_a_state<S, I...> || derive::are_series<S, I...>;

// S: state<"before", "after"> and series<"name", ..>. Throws shape_error if numbers of steps
// differ.
template <class... I, class... S>
    requires parts_are_of_a_cell<I...> && (cell_has_the_names<S, I...> && ...)
auto scan(program_of<I...> const& cell, S const&...) {
    using states = derive::states_in<S...>;
    scan_of<states, I...> s{cell.items, derive::count_steps(cell.items)};
    auto const look = [&](auto const& item) {
        derive::check_steps<derive::scan_states<states, tuple<I...>>>(item.expression(), s.count);
    };
    apply([&](auto const&... item) { (look(item), ...); }, s.items);
    return s;
}

}  // namespace felt::inline FELT_ABI
