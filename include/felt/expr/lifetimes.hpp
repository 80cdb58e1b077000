// SPDX-License-Identifier: BSD-3-Clause
//
// detail::check_lifetimes(s...): throws error if what a statement reads or writes is not the memory
// of the tensor that was named, because it was destroyed or gave its memory away. Does nothing with
// NDEBUG. (What runs by a plan of its own is checked by that.)
#pragma once
#include <felt/expr/assign.hpp>

namespace felt::inline FELT_ABI {

namespace detail {

FELT_PLANNING inline void check_owner(void const* data, owner_t owner, char const* what,
                                      shape_ref e) {
    if (owner == 0 || owner_of<true>(data, 1) == owner) return;
    throw error(std::string("run: ") + what + " " + e.text() +
                " was destroyed, moved or swapped after it was named");
}

template <class N>
void check_operands(N const& n) {
    if constexpr (requires { n.owner; })
        apart<&check_owner>::call(n.data, n.owner, "the operand", n.e);
    else apply([](auto const&... x) { (check_operands(x), ...); }, n.operands());
}

template <class... T, std::size_t... R, class... Sp, class... E>
void check_lifetimes(statement<T, R, Sp, E> const&... s) {
    if constexpr (FELT_CHECKED) {
        (apart<&check_owner>::call(s.data, s.owner, "the destination", s.e), ...);
        (check_operands(s.expression), ...);
    }
}

}  // namespace detail
}  // namespace felt::inline FELT_ABI
