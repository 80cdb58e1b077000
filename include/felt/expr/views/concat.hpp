// SPDX-License-Identifier: BSD-3-Clause
//
// concat<A>(x, y, ..): x and then y along axis A; the other extents agree.
// stack<A>(x, y, ..): the same along a new axis A of the result; all extents agree.
#pragma once
#include <felt/expr/promote.hpp>
#include <felt/expr/views/broadcast.hpp>

namespace felt::inline FELT_ABI {

template <class X, class Y>
struct FELT_LAZY concat_node {
    using value_type = typename X::value_type;
    using space = join_space_t<typename X::space, typename Y::space>;
    static constexpr node_kind what = node_kind::concat;
    static constexpr std::size_t rank = X::rank;
    static constexpr char const* name = "concat";

    tuple<X, Y> x;
    int axis;

    FELT_FN felt::extents<rank> extents() const {
        auto e = x.head.extents();
        auto const at = static_cast<std::size_t>(axis);
        e[at] += x.tail.head.extents()[at];
        return e;
    }
    FELT_FN tuple<X, Y> const& operands() const { return x; }
    template <class V, class W>
    FELT_FN concat_node<V, W> over(tuple<V, W> y) const {
        return {std::move(y), axis};
    }
    bool has_data_of(concat_node const& n) const { return axis == n.axis; }
};

template <class X, class Y>
concept operands_have_one_rank = rank_of<X> == rank_of<Y>;

template <int A, array_operand X, array_operand Y>
    requires operands_have_one_rank<X, Y> && axis_is_in_range<A, rank_of<X>> &&
             operands_share_a_space<space_of<X>, space_of<Y>>
auto concat(X&& x, Y&& y) {
    constexpr std::size_t axis = axis_v<A, rank_of<X>>;
    auto const a = shape_of(x), b = shape_of(y);
    for (std::size_t r = 0; r < a.rank; ++r) {
        if (r != axis && a[r] != b[r]) {
            throw shape_error("concat: " + to_string(a) + " and " + to_string(b) +
                              " differ beside axis " + std::to_string(axis));
        }
    }
    using T = promote_t<value_of<X>, value_of<Y>>;
    auto nx = detail::to_type<T>(as_node(std::forward<X>(x)));
    auto ny = detail::to_type<T>(as_node(std::forward<Y>(y)));
    using N = concat_node<decltype(nx), decltype(ny)>;
    return N{{std::move(nx), {std::move(ny)}}, static_cast<int>(axis)};
}
template <int A, array_operand X, array_operand Y, array_operand... Z>
    requires operands_have_one_rank<X, Y> && (sizeof...(Z) > 0) &&
             (operands_have_one_rank<X, Z> && ...) && axis_is_in_range<A, rank_of<X>> &&
             operands_share_a_space<space_of<X>, space_of<Y>, space_of<Z>...>
auto concat(X&& x, Y&& y, Z&&... z) {
    return concat<A>(concat<A>(std::forward<X>(x), std::forward<Y>(y)), std::forward<Z>(z)...);
}

template <int A, array_operand X, array_operand... Y>
    requires(operands_have_one_rank<X, Y> && ...) && axis_is_in_range<A, rank_of<X> + 1> &&
            operands_share_a_space<space_of<X>, space_of<Y>...>
[[nodiscard]] auto stack(X&& x, Y&&... y) {
    auto const e = shape_of(x);
    [[maybe_unused]] auto const agrees = [&](auto const& other) {
        if (other == e) return;
        throw shape_error("stack: " + to_string(e) + " and " + to_string(other) + " differ");
    };
    (agrees(shape_of(y)), ...);
    if constexpr (sizeof...(Y) == 0) return expand_dims<A>(std::forward<X>(x));
    else
        return concat<A>(expand_dims<A>(std::forward<X>(x)), expand_dims<A>(std::forward<Y>(y))...);
}

template <int A = max_rank, class... Y>
void concat(std::type_identity_t<refused_pair<A, Y...>>, Y&&...);  // takes nothing

}  // namespace felt::inline FELT_ABI
