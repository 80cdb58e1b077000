// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives that are asked for are written at the end of a backward pass, or, where one is
// written over a value that they read, before that.
#pragma once
#include <felt/grad/known_norm.hpp>
#include <felt/grad/parts.hpp>

namespace felt::inline FELT_ABI::derive {

// Among statements: what is asked for as number I, of which the destination is known later.
template <std::size_t I, class E>
struct asked_here {
    E e;
};
// Among the types of derivatives: number I is such a statement; the value of that name is lost.
template <std::size_t I>
struct is_asked_here {};
template <class Name>
struct overwritten {};

template <std::size_t I, class... D>
inline constexpr bool is_written_early = (std::is_same_v<D, is_asked_here<I>> || ...);

template <class Name, class D>
inline constexpr bool reads_name = false;
template <class Name, node D>
inline constexpr bool reads_name<Name, D> = reaches<Name, D>;
template <class Name, class X, std::size_t R>
inline constexpr bool reads_name<Name, spread<X, R>> = reaches<Name, X>;

// Whether one of the derivatives reads a value that was lost before.
template <class... D>
inline constexpr bool reads_overwritten = false;
template <class X, class... D>
inline constexpr bool reads_overwritten<X, D...> = reads_overwritten<D...>;
template <class Name, class... D>
inline constexpr bool reads_overwritten<overwritten<Name>, D...> =
    (reads_name<Name, D> || ...) || reads_overwritten<D...>;

// Whether a part adds to the derivative by a name.
template <class Name, class I>
inline constexpr bool part_reads = depends<Name, expression_of<I>>;
template <class Name, class N, class Y, class G, class B, class Space>
inline constexpr bool part_reads<Name, known_norm<N, Y, G, B, Space>> =
    depends<Name, Y> || depends<Name, G> || depends<Name, B>;
template <class Name, class States, class... I>
inline constexpr bool part_reads<Name, scan_of<States, I...>> = (part_reads<Name, I> || ...);
// Whether none of the first K does.
template <class Name, std::size_t K, class Parts>
inline constexpr bool is_complete = true;
template <class Name, std::size_t K, class... I>
inline constexpr bool is_complete<Name, K, tuple<I...>> = [] {
    std::size_t at = 0;
    bool reads = false;
    ((reads = reads || (at < K && part_reads<Name, I>), ++at), ...);
    return !reads;
}();

// Among statements: a copy of what is in memory, which may be where it is wanted.
template <class S>
struct copy_if_apart {
    S statement;

    template <class How>
    void run(How how) const {
        auto const& e = statement.expression;
        if (statement.data != e.data || statement.stride != e.stride)
            run_some(how, felt::make_tuple(statement));
    }
    auto statements() const { return felt::make_tuple(statement); }
    index_t times() const { return 1; }
};

template <class S>
inline constexpr bool is_copy = false;
template <class T, std::size_t R, class Space>
inline constexpr bool is_copy<statement<T, R, Space, leaf<T, R, Space>>> = true;

// Statements with destinations for what is asked for; without any it is left out.
template <class S, class... To>
auto with_destination(S const& s, To&...) {
    return felt::make_tuple(s);
}
template <std::size_t I, class E>
auto with_destination(asked_here<I, E> const&) {
    return tuple<>{};
}
template <std::size_t I, class E, class... To>
    requires(sizeof...(To) > 0)
auto with_destination(asked_here<I, E> const& s, To&... to) {
    return felt::make_tuple(assign(std::get<I>(std::tie(to...)), s.e));
}
inline tuple<> with_destinations(tuple<> const&, auto&...) { return {}; }
template <class S, class... More, class... To>
auto with_destinations(tuple<S, More...> const& list, To&... to) {
    auto const first = with_destination(list.head, to...);
    if constexpr (sizeof...(More) == 0) return first;
    else return join(first, with_destinations(list.tail, to...));
}

}  // namespace felt::inline FELT_ABI::derive
