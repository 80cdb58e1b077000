// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of a program, what each of them goes on into, and where derivatives by it divide.
#pragma once
#include <felt/grad/known_norm.hpp>
#include <felt/grad/options.hpp>
#include <felt/grad/scan.hpp>

namespace felt::inline FELT_ABI::derive {

// All parts in order: each after the values by let that it reads.
template <class... L>
auto parts_in(tuple<> const&, tuple<L...> found) {
    return found;
}
template <class I, class... J, class... L>
auto parts_in(tuple<I, J...> const& items, tuple<L...> found) {
    auto const all = [&] {
        if constexpr (is_scan<I>) {
            return append(items.head, found);
        } else {
            auto const before = lets_in(items.head.expression(), std::move(found));
            return apply(
                [&]<class... F>(F const&... f) {
                    if constexpr (is_among<I, F...>) return before;
                    else return felt::make_tuple(f..., items.head);
                },
                before);
        }
    }();
    if constexpr (sizeof...(J) == 0) return all;
    else return parts_in(items.tail, all);
}

// How many of the names expression E goes on into.
template <class E, class Parts, class Wrt>
inline constexpr int readers_of = 0;
template <class E, class I>
inline constexpr bool depends_on_part = false;
template <class E, class Name, class X>
inline constexpr bool depends_on_part<E, let_node<Name, X>> = depends<Name, E>;
template <class E, class Name, class L, class X, class F>
inline constexpr bool depends_on_part<E, kept_value<Name, L, X, F>> = depends<Name, E>;
template <class E, class Name, class Y, class G, class B, class Space>
inline constexpr bool depends_on_part<E, known_norm<Name, Y, G, B, Space>> = depends<Name, E>;
template <class E, class... I, class... Name>
inline constexpr int readers_of<E, tuple<I...>, wrt_names<Name...>> =
    ((depends_on_part<E, I> ? 1 : 0) + ... + 0) + ((depends<Name, E> ? 1 : 0) + ... + 0);

// Where derivatives by a value divide: below the functions of one operand that has names. Until
// there they are one expression, which is what is written.
template <class N, class Parts, class Wrt>
inline constexpr bool goes_on = readers_of<N, Parts, Wrt> > 0;

template <class Parts, class Wrt, class N, class Y, class D>
auto narrowed(N const& n, Y const& y, D const& d) {
    return link<N, Y, D>{n, y, d};
}
template <class Parts, class Wrt, class F, class... X, class Y, class D>
auto narrowed(map_node<F, X...> const& n, Y const& y, D const& d) {
    constexpr int on = ((goes_on<X, Parts, Wrt> ? 1 : 0) + ...);
    if constexpr (on != 1 || is_spread<D>) {
        return link<map_node<F, X...>, Y, D>{n, y, d};
    } else {
        constexpr std::size_t I = [] {
            std::size_t at = 0;
            for (bool each : {goes_on<X, Parts, Wrt>...}) {
                if (each) break;
                ++at;
            }
            return at;
        }();
        auto const& x = get<I>(n.x);
        using N = std::remove_cvref_t<decltype(x)>;
        auto const p = partial_of<I>(n, y, d);
        using P = std::remove_cvref_t<decltype(p)>;
        if constexpr (is_zero<P> || units_in<N, map_node<F, X...>::rank> != 0)
            return link<map_node<F, X...>, Y, D>{n, y, d};
        else return narrowed<Parts, Wrt>(x, x, unstretched<N>(p, x.extents()));
    }
}

// Whether a product that E has occurs in D as well.
template <class C, class D>
inline constexpr bool occurs = false;
template <class C, class Operands>
inline constexpr bool occurs_in_any = false;
template <class C, class... X>
inline constexpr bool occurs_in_any<C, tuple<X...>> = (occurs<C, X> || ...);
template <class C, node D>
inline constexpr bool occurs<C, D> = std::is_same_v<C, D> || occurs_in_any<C, operands_of<D>>;
template <class E, class D>
inline constexpr bool repeats_product = false;
template <class Operands, class D>
inline constexpr bool repeats_any_product = false;
template <class... X, class D>
inline constexpr bool repeats_any_product<tuple<X...>, D> = (repeats_product<X, D> || ...);
template <node E, class D>
inline constexpr bool repeats_product<E, D> =
    (E::what == node_kind::contract && occurs<E, D>) || repeats_any_product<operands_of<E>, D>;

}  // namespace felt::inline FELT_ABI::derive
