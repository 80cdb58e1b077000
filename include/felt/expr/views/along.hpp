// SPDX-License-Identifier: BSD-3-Clause
//
// along<A>(b): the vector b along axis A of whatever it meets, and the same along all other axes:
//
//     conv2d(x, w) + along<1>(b)[n, c, p, q] = conv2d(x, w)[n, c, p, q] + b[c]
//
// By itself it has the axes up to A, of extent 1 but for the last. Maps of such vectors are one.
#pragma once
#include <felt/expr/notation.hpp>
#include <felt/expr/promote.hpp>

namespace felt::inline FELT_ABI {

namespace detail {
// Of R axes all but A.
template <int A, std::size_t R>
inline constexpr unsigned axes_beside = ((1U << R) - 1) & ~(1U << unsigned(A));
}  // namespace detail

template <int A, class X>
struct FELT_LAZY along_node : inserted_node<detail::axes_beside<A, std::size_t(A) + 1>, X> {
    template <class Y>
    FELT_FN along_node<A, Y> over(tuple<Y> y) const {
        return {{std::move(y), this->name}};
    }
};

template <class X>
concept along_takes_a_vector = array_operand<X> && rank_of<X> == 1;
template <int A>
concept axis_counts_from_the_first = A >= 0;

// b is a vector, A counts from the first axis.
template <int A, array_operand X>
    requires along_takes_a_vector<X> && axis_counts_from_the_first<A>
auto along(X&& b) {
    auto n = as_node(std::forward<X>(b));
    return along_node<A, decltype(n)>{{{std::move(n)}, "along"}};
}

namespace detail {

// The vector among R axes.
template <std::size_t R, int A, class X>
auto among_axes(along_node<A, X> const& n) {
    constexpr std::size_t rank = R > std::size_t(A) ? R : std::size_t(A) + 1;
    return insert_axes<axes_beside<A, rank>>(n.x.head, n.name);
}

template <class N>
inline constexpr int axis_along = -1;
template <int A, class X>
inline constexpr int axis_along<along_node<A, X>> = A;

template <class N>
auto vector_along(N const& n) {
    if constexpr (axis_along<N> >= 0) return n.x.head;
    else return n;
}

template <class F, class... X>
auto map_along(F const& f, X const&... x) {
    constexpr std::size_t R = max_of<(is_along<X> ? 0 : X::rank)...>;
    constexpr int last = static_cast<int>(max_of<std::size_t(axis_along<X> + 1)...>) - 1;
    if constexpr (R == 0 && ((!is_along<X> || axis_along<X> == last) && ...)) {
        return along<last>(make_map(f, vector_along(x)...));
    } else {
        constexpr std::size_t all = R > std::size_t(last) ? R : std::size_t(last) + 1;
        return make_map(f, among_axes<all>(x)...);
    }
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI
