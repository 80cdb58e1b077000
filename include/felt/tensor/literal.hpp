// SPDX-License-Identifier: BSD-3-Clause
//
// Nested braces as tensors: literal<T, 2> is {{1, 2}, {3, 4}}.
#pragma once
#include <felt/core/errors.hpp>
#include <felt/core/extents.hpp>
#include <initializer_list>

namespace felt::inline FELT_ABI {

namespace detail {
template <class T, std::size_t R>
struct literal_of {
    using type = std::initializer_list<typename literal_of<T, R - 1>::type>;
};
template <class T>
struct literal_of<T, 0> {
    using type = T;
};
}  // namespace detail

template <class T, std::size_t R>
using literal = typename detail::literal_of<T, R>::type;

template <std::size_t LiteralRank, std::size_t Rank>
concept literal_is_not_of_rank = LiteralRank != Rank;

namespace detail {

// The extents of the first row at each depth; copy_literal checks the others.
template <std::size_t R, class T, class L>
extents<R> literal_extents(L const& list) {
    extents<R> e;
    e[0] = static_cast<index_t>(list.size());
    if constexpr (R > 1) {
        if (list.size() > 0) {
            auto const inner = literal_extents<R - 1, T>(*list.begin());
            for (std::size_t r = 1; r < R; ++r) e[r] = inner[r - 1];
        }
    }
    return e;
}

template <std::size_t R, class T, class L, std::size_t Rank>
void copy_literal(L const& list, extents<Rank> const& e, extents<Rank> const& stride, T* to,
                  index_t at) {
    constexpr std::size_t axis = Rank - R;
    if (static_cast<index_t>(list.size()) != e[axis]) {
        throw shape_error("of: a row of " + std::to_string(list.size()) + " where axis " +
                          std::to_string(axis) + " of " + to_string(e) + " has " +
                          std::to_string(e[axis]));
    }
    for (auto const& item : list) {
        if constexpr (R == 1) {
            to[at] = item;
        } else {
            copy_literal<R - 1, T>(item, e, stride, to, at);
        }
        at += stride[axis];
    }
}

}  // namespace detail
}  // namespace felt::inline FELT_ABI
