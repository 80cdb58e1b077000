// SPDX-License-Identifier: BSD-3-Clause
//
// program(h, y, ..): values by keep and by let, in their order, and those of other programs.
#pragma once
#include <felt/grad/keep.hpp>
#include <felt/grad/remedies.hpp>

namespace felt::inline FELT_ABI {

template <class... I>
struct program_of {
    tuple<I...> items;
};

namespace derive {

// Of a part: its name and its expression. Of a loop: those of its cell.
template <class I>
using expression_of = std::remove_cvref_t<decltype(std::declval<I const&>().expression())>;
template <class I>
struct part_facts {
    using names = tuple<typename I::name_of_part>;
    using expressions = tuple<expression_of<I>>;
};
template <class... I>
using names_of_parts = decltype(join_all(std::declval<typename part_facts<I>::names>()...));
template <class... I>
using expressions_of_parts =
    decltype(join_all(std::declval<typename part_facts<I>::expressions>()...));
template <class I>
    requires requires { typename I::parts_of_cell; }
struct part_facts<I> {
    template <class... J>
    static names_of_parts<J...> names_in(tuple<J...> const&);
    template <class... J>
    static expressions_of_parts<J...> expressions_in(tuple<J...> const&);
    using names = decltype(names_in(std::declval<typename I::parts_of_cell>()));
    using expressions = decltype(expressions_in(std::declval<typename I::parts_of_cell>()));
};

template <class W, class... V>
inline constexpr bool occurs_once = (int{std::is_same_v<W, V>} + ... + 0) == 1;
template <class Names>
inline constexpr bool are_distinct = true;
template <class... W>
inline constexpr bool are_distinct<tuple<W...>> = (occurs_once<W, W...> && ...);

// Whether part I reads what K keeps.
template <class K, class I>
inline constexpr bool reads_kept = false;
template <class Name, class L, class E, class F, class I>
inline constexpr bool reads_kept<kept_value<Name, L, E, F>, I> =
    any_reaches<Name, typename part_facts<I>::expressions>;
// Whether none of the parts reads what it or a later one keeps.
template <class Before, class... I>
inline constexpr bool are_kept_first = true;
template <class... B, class I, class... More>
inline constexpr bool are_kept_first<tuple<B...>, I, More...> =
    !(reads_kept<I, I> || ... || reads_kept<I, B>) && are_kept_first<tuple<B..., I>, More...>;

}  // namespace derive

template <class I>
concept part_of_a_program = requires(std::remove_cvref_t<I> const& i) {
    i.expression();
    i.value();
} || requires { typename std::remove_cvref_t<I>::parts_of_cell; };

namespace derive {

// The parts of a program that is a part of another one.
template <class I>
tuple<I> parts_of(I const& part) {
    return {part};
}
template <class... I>
tuple<I...> const& parts_of(program_of<I...> const& p) {
    return p.items;
}
template <class... I>
auto all_parts(I const&... items) {
    return join_all(parts_of(items)...);
}

// The remedy for the first mistake. (What a part keeps is read by later ones; what was there before
// has another name.)
template <class... I>
constexpr auto find_remedy_of_parts(tuple<I...> const*) {
    if constexpr (!(part_of_a_program<I> && ...)) return remedy::write_keep_let_or_scan{};
    else if constexpr (!are_distinct<names_of_parts<I...>>)
        return remedy::give_each_part_its_own_name{};
    else if constexpr (!are_kept_first<tuple<>, I...>) return remedy::keep_it_before_it_is_read{};
    else return remedy::none{};
}
template <class... I>
using remedy_of_parts = decltype(find_remedy_of_parts(
    static_cast<std::remove_cvref_t<decltype(all_parts(std::declval<I const&>()...))> const*>(
        nullptr)));
template <class... I>
program_of<I...> program_with(tuple<I...> parts) {
    return {std::move(parts)};
}

}  // namespace derive

template <class... I>
    requires needs_no_remedy<derive::remedy_of_parts<I...>>
auto program(I const&... items) {
    return derive::program_with(derive::all_parts(items...));
}
template <class... I, class Remedy = derive::remedy_of_parts<I...>>
    requires(!needs_no_remedy<Remedy>)
void program(I const&... items) = delete;

}  // namespace felt::inline FELT_ABI
