// SPDX-License-Identifier: BSD-3-Clause
//
// The reverse sweep: derivatives of values that have names, from the last to the first, each the
// sum of what those after it contribute. What has a derivative already is a link: its expression,
// how its value is read, and the derivative.
#pragma once
#include <felt/grad/cumulative_rules.hpp>
#include <felt/grad/pull.hpp>
#include <felt/grad/reduce_rules.hpp>
#include <felt/grad/view_rules.hpp>
#include <string_view>

namespace felt::inline FELT_ABI {

template <class E>
concept cost_is_one_number = rank_of<E> == 0;

}  // namespace felt::inline FELT_ABI

namespace felt::inline FELT_ABI::derive {

template <class... L>
inline constexpr std::size_t count_of(tuple<L...> const*) {
    return sizeof...(L);
}

template <class E, class Y, class D>
struct link {
    E const& e;
    Y const& y;
    D d;
};

// The derivative by the name W of what a link says, and of what all say.
template <class W, class E, class Y, class D>
auto from_link(link<E, Y, D> const& l) {
    if constexpr (!depends<W, E> || is_zero<D>) return zero{};
    else if constexpr (is_parted<D>) return pull<W>(l.e, l.y, whole(l.d));
    else return pull<W>(l.e, l.y, l.d);
}
template <class W, class... L>
auto sum_of(L const&... l) {
    return plus(from_link<W>(l)...);
}

// By the value of a part, whatever its name is.
template <class I, class... L>
auto sum_by(I const&, L const&... links) {
    return sum_of<typename I::name_of_part>(links...);
}

// The values that expression n names by let, the innermost first, each once; after those found.
template <class X, class... L>
inline constexpr bool is_among =
    ((std::string_view(X::label) == std::string_view(L::label)) || ...);

template <class N, class... L>
auto lets_in(N const& n, tuple<L...> found);

template <class... L>
auto lets_in_all(tuple<> const&, tuple<L...> found) {
    return found;
}
template <class X, class... Y, class... L>
auto lets_in_all(tuple<X, Y...> const& x, tuple<L...> found) {
    auto more = lets_in(x.head, std::move(found));
    if constexpr (sizeof...(Y) == 0) return more;
    else return lets_in_all(x.tail, std::move(more));
}

template <class N, class... L>
auto append(N const& n, tuple<L...> const& found) {
    return apply([&](auto const&... l) { return felt::make_tuple(l..., n); }, found);
}

template <class N>
struct let_lister {
    template <class... L>
    static auto add(N const&, tuple<L...> found) {
        return found;
    }
};
template <class Name, class E>
struct let_lister<let_node<Name, E>> {
    template <class... L>
    static auto add(let_node<Name, E> const& n, tuple<L...> found) {
        if constexpr (is_among<let_node<Name, E>, L...>) return found;
        else return append(n, found);
    }
};

template <class N, class... L>
auto lets_in(N const& n, tuple<L...> found) {
    if constexpr (has_no_operands<N>) return found;
    else return let_lister<N>::add(n, lets_in_all(n.operands(), std::move(found)));
}

}  // namespace felt::inline FELT_ABI::derive
