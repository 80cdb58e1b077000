// SPDX-License-Identifier: BSD-3-Clause
//
// gather<A>(x, indices): axis A of x is replaced by the axis of `indices` (rank 1):
// out[.., i, ..] = x[.., indices[i], ..]. An index outside throws before anything is written.
#pragma once
#include <felt/expr/leaf.hpp>

namespace felt::inline FELT_ABI {

template <class X, class I>
struct FELT_LAZY gather_node {
    using value_type = typename X::value_type;
    using space = join_space_t<typename X::space, typename I::space>;
    static constexpr node_kind what = node_kind::gather;
    static constexpr std::size_t rank = X::rank;
    static constexpr char const* name = "gather";

    tuple<X, I> x;
    int axis;

    FELT_FN felt::extents<rank> extents() const {
        auto e = x.head.extents();
        e[static_cast<std::size_t>(axis)] = x.tail.head.extents()[0];
        return e;
    }
    FELT_FN tuple<X, I> const& operands() const { return x; }
    template <class V, class W>
    FELT_FN gather_node<V, W> over(tuple<V, W> y) const {
        return {std::move(y), axis};
    }
    bool has_data_of(gather_node const& n) const { return axis == n.axis; }

    // Indices lie below this.
    FELT_FN index_t limit() const { return x.head.extents()[static_cast<std::size_t>(axis)]; }
};

template <class I>
concept gather_indices_are_integers =
    std::is_integral_v<value_of<I>> && !std::is_same_v<value_of<I>, bool>;

template <int A, array_operand X, array_operand I>
    requires axis_is_in_range<A, rank_of<X>> && (rank_of<I> == 1) &&
             gather_indices_are_integers<I> && operands_share_a_space<space_of<X>, space_of<I>>
auto gather(X&& x, I&& indices) {
    auto nx = as_node(std::forward<X>(x));
    auto ni = as_node(std::forward<I>(indices));
    using N = gather_node<decltype(nx), decltype(ni)>;
    return N{{std::move(nx), {std::move(ni)}}, static_cast<int>(axis_v<A, rank_of<X>>)};
}
template <int A = max_rank, class... I>
void gather(std::type_identity_t<refused_indices<A>>, I&&...);  // takes nothing

}  // namespace felt::inline FELT_ABI
