// SPDX-License-Identifier: BSD-3-Clause
//
// What goes on from a scan to the values before it.
#pragma once
#include <felt/grad/sweep.hpp>

namespace felt::inline FELT_ABI::derive {

// What a scan says of names outside of it: by slots of all steps, as links by value, and by its
// states what comes to them at the first step.
template <class E, class Y, class D>
struct series_link {
    E e;
    Y y;
    D d;
};
template <class Before, class D>
struct state_link {
    D d;
};
template <class Slots, class States>
struct scan_link;
template <class... Slot, class... Before, class... D>
struct scan_link<tuple<Slot...>, tuple<state_link<Before, D>...>> {
    tuple<Slot...> slots;
    tuple<state_link<Before, D>...> states;
};

template <class W, class E, class Y, class D>
auto from_link(series_link<E, Y, D> const& l) {
    return from_link<W>(link<E, Y, D>{l.e, l.y, l.d});
}
template <class W, class Before, class D>
auto from_link(state_link<Before, D> const& l) {
    if constexpr (std::is_same_v<W, Before>) return l.d;
    else return zero{};
}
template <class W, class... Slot, class... Before, class... D>
auto from_link(scan_link<tuple<Slot...>, tuple<state_link<Before, D>...>> const& l) {
    auto const by_states =
        apply([](auto const&... each) { return plus(zero{}, from_link<W>(each)...); }, l.states);
    // Of a state only this: what its own series says is of the steps before.
    if constexpr ((std::is_same_v<W, Before> || ...)) return by_states;
    else
        return apply([](auto const&... each) { return plus(zero{}, from_link<W>(each)...); },
                     l.slots);
}

}  // namespace felt::inline FELT_ABI::derive
