// SPDX-License-Identifier: BSD-3-Clause
//
// with_operands(n, x): node n, with the same data of its own, over the operands x instead of its
// own ones. There is one for every kind of node that has operands.
#pragma once
#include <felt/expr/contract.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/expr/scan.hpp>
#include <felt/expr/views/concat.hpp>
#include <felt/expr/views/reshape.hpp>
#include <felt/expr/views/scatter.hpp>

namespace felt {

// The operands of N, by type.
template <node N>
using operands_of = std::remove_cvref_t<decltype(std::declval<N const&>().operands())>;

template <class N>
concept has_no_operands = std::same_as<operands_of<N>, tuple<>>;

template <class G, class... X, class... Y>
FELT_FN auto with_operands(map_node<G, X...> const& n, tuple<Y...> x) {
    if constexpr (std::is_empty_v<G>) {
        return map_node<G, Y...>{std::move(x)};
    } else {
        return map_node<G, Y...>{std::move(x), n.state};
    }
}

template <view_kind Kind, class X, std::size_t R, class Y>
FELT_FN auto with_operands(view_node<Kind, X, R> const& n, tuple<Y> x) {
    return view_node<Kind, Y, R>{std::move(x), n.map, n.fill, n.name};
}

template <class X, std::size_t R, class Y>
FELT_FN auto with_operands(reshape_node<X, R> const& n, tuple<Y> x) {
    return reshape_node<Y, R>{std::move(x), n.e};
}

template <class X, class Y, class V, class W>
FELT_FN auto with_operands(concat_node<X, Y> const& n, tuple<V, W> x) {
    return concat_node<V, W>{std::move(x), n.axis};
}

template <class X, class I, class Y, class J>
FELT_FN auto with_operands(gather_node<X, I> const& n, tuple<Y, J> x) {
    return gather_node<Y, J>{std::move(x), n.axis};
}

template <class X, class I, class Y, class J>
FELT_FN auto with_operands(scatter_node<X, I> const& n, tuple<Y, J> x) {
    return scatter_node<Y, J>{std::move(x), n.axis, n.e};
}

template <class X, class Y>
FELT_FN auto with_operands(once_node<X> const&, tuple<Y> x) {
    return once_node<Y>{std::move(x)};
}

template <class M, unsigned Mask, class X, class Y>
FELT_FN auto with_operands(reduce_node<M, Mask, X> const&, tuple<Y> x) {
    return reduce_node<M, Mask, Y>{std::move(x)};
}

template <class F, int A, class X, class Y>
FELT_FN auto with_operands(scan_node<F, A, X> const& n, tuple<Y> x) {
    return scan_node<F, A, Y>{std::move(x), n.op};
}

template <class A, class B, std::size_t R, std::size_t S, class V, class W>
FELT_FN auto with_operands(contract_node<A, B, R, S> const& n, tuple<V, W> x) {
    contract_node<V, W, R, S> to{std::move(x), {}, {}, n.name};
    for (std::size_t r = 0; r < A::rank; ++r) to.a_label[r] = n.a_label[r];
    for (std::size_t r = 0; r < B::rank; ++r) to.b_label[r] = n.b_label[r];
    return to;
}

}  // namespace felt
