// SPDX-License-Identifier: BSD-3-Clause
//
// What types say of the backward pass of a cell: which of its values have derivatives, which of
// these are written, and of which all steps are kept.
#pragma once
#include <felt/grad/parts.hpp>
#include <array>

namespace felt::inline FELT_ABI::derive {

// By type: which parts of a cell have derivatives, and where these lie. Own: what the cost and
// later parts say of each part; Outer: names outside of the cell by which derivatives are wanted.
template <class States, class Parts, class Own, class Outer>
struct cell_facts;
template <class... S, class... I, class... D, class... Name>
struct cell_facts<tuple<S...>, tuple<I...>, tuple<D...>, wrt_names<Name...>> {
    static constexpr std::size_t count = sizeof...(I);
    using row = std::array<bool, count>;
    // All that derivatives divide among.
    using names = wrt_names<Name..., typename S::before...>;

    template <class E>
    static constexpr bool feeds(std::size_t k) {
        std::size_t at = 0;
        bool to = false;
        auto const look = [&]<class J>(std::type_identity<J>) {
            bool const state = ((std::is_same_v<typename S::after, typename J::name_of_part> &&
                                 depends<typename S::before, E>) ||
                                ...);
            if (at++ == k) to = state;
        };
        (look(std::type_identity<I>{}), ...);
        return to;
    }
    template <class E>
    static constexpr row reads() {
        return {depends<typename I::name_of_part, E>...};
    }
    static constexpr row active = [] {
        std::array<row, count> const reads_of = {reads<expression_of<I>>()...};
        std::array<row, count> feeds_of{};
        for (std::size_t k = 0; k != count; ++k) {
            row const by = {feeds<expression_of<I>>(k)...};
            for (std::size_t j = 0; j != count; ++j) feeds_of[j][k] = by[j];
        }
        row is = {!is_zero<D>...};
        for (std::size_t round = 0; round != count; ++round) {
            for (std::size_t j = 0; j != count; ++j) {
                for (std::size_t k = 0; k != count && is[j]; ++k) {
                    if ((j > k && reads_of[j][k]) || feeds_of[j][k]) is[k] = true;
                }
            }
        }
        return is;
    }();
    static constexpr bool any = [] {
        for (bool each : active) {
            if (each) return true;
        }
        return false;
    }();
    // Whether part J has derivatives of all steps.
    template <class J>
    static constexpr bool in_series = (depends<Name, expression_of<J>> || ...);
    template <class J, class... Option>
    static constexpr bool written = in_series<J> ||
                                    (depends<typename S::before, expression_of<J>> || ...) ||
                                    (std::is_same_v<typename S::after, typename J::name_of_part> ||
                                     ...) ||
                                    readers_of<expression_of<J>, tuple<I...>, names> > 1 ||
                                    (is_written<J, Option> || ...);
};

// A derivative that is written at each step: by the value y of e, which is a part's or below it.
// The names by which derivatives are wanted below part K: those of wrt, and of the parts before it.
template <class I, class... Name>
auto with_names_of(wrt_names<Name...>, I const*) -> wrt_names<Name..., typename I::name_of_part>;
template <class States, class... I, class... Name>
auto with_names_of(wrt_names<Name...>, scan_of<States, I...> const*)
    -> wrt_names<Name..., typename I::name_of_part...>;
template <std::size_t K, class Wrt>
auto outer_names_of(Wrt) {
    return Wrt{};
}
template <std::size_t K, class I, class... J, class Wrt>
auto outer_names_of(Wrt all) {
    if constexpr (K == 0) return all;
    else
        return outer_names_of<K - 1, J...>(
            decltype(with_names_of(all, static_cast<I const*>(nullptr))){});
}
template <std::size_t K, class Wrt, class Parts>
struct outer_names;
template <std::size_t K, class Wrt, class... I>
struct outer_names<K, Wrt, tuple<I...>> {
    using type = decltype(outer_names_of<K, I...>(Wrt{}));
};

}  // namespace felt::inline FELT_ABI::derive
