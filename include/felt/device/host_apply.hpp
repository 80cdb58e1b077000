// SPDX-License-Identifier: BSD-3-Clause
//
// spread(f, t): f with the elements of t, for functions of the host. apply() may be part of a
// kernel, and nvcc does not have it call what is not.
#pragma once
#include <felt/core/tuple.hpp>
#include <utility>

namespace felt::inline FELT_ABI::device {

namespace detail {
template <class F, class Tuple, std::size_t... I>
decltype(auto) spread_at(F const& f, Tuple const& t, std::index_sequence<I...>) {
    return f(get<I>(t)...);
}
}  // namespace detail

template <class F, class... X>
decltype(auto) spread(F const& f, tuple<X...> const& t) {
    return detail::spread_at(f, t, std::index_sequence_for<X...>{});
}

}  // namespace felt::inline FELT_ABI::device
