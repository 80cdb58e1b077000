// SPDX-License-Identifier: BSD-3-Clause
//
// lower(e): the same values as a tree of views and plain values, which is trivially copyable: it
// can be passed to a kernel. Tensors that were moved into e stay alive as long as e does, not as
// long as the lowered tree. lower(s) does the same for the expression of a statement.
#pragma once
#include <felt/expr/assign.hpp>
#include <felt/expr/contract.hpp>
#include <felt/expr/fill.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/expr/views/concat.hpp>
#include <felt/expr/views/reshape.hpp>
#include <felt/expr/views/scatter.hpp>

namespace felt {

// replace_leaves(f, e): the tree of e with f(x) for every node x that has no operands.
template <class F, node N>
    requires std::same_as<std::remove_cvref_t<decltype(std::declval<N const&>().operands())>,
                          tuple<>>
FELT_FN auto replace_leaves(F const& f, N const& n) {
    return f(n);
}

namespace detail {
template <class F, class N>
using replaced = decltype(replace_leaves(std::declval<F const&>(), std::declval<N const&>()));

template <class F, class X>
FELT_FN auto replace_in(F const& f, tuple<X> const& x) {
    return tuple<replaced<F, X>>{replace_leaves(f, x.head)};
}
template <class F, class X, class Y, class... Z>
FELT_FN auto replace_in(F const& f, tuple<X, Y, Z...> const& x) {
    return tuple<replaced<F, X>, replaced<F, Y>, replaced<F, Z>...>{replace_leaves(f, x.head),
                                                                    replace_in(f, x.tail)};
}
}  // namespace detail

template <class F, class G, class... X>
FELT_FN auto replace_leaves(F const& f, map_node<G, X...> const& n) {
    using N = map_node<G, detail::replaced<F, X>...>;
    if constexpr (std::is_empty_v<G>) {
        return N{detail::replace_in(f, n.x)};
    } else {
        return N{detail::replace_in(f, n.x), n.state};
    }
}

template <class F, view_kind Kind, class X, std::size_t R>
FELT_FN auto replace_leaves(F const& f, view_node<Kind, X, R> const& n) {
    using N = view_node<Kind, detail::replaced<F, X>, R>;
    return N{detail::replace_in(f, n.x), n.map, n.fill, n.name};
}

template <class F, class X, std::size_t R>
FELT_FN auto replace_leaves(F const& f, reshape_node<X, R> const& n) {
    return reshape_node<detail::replaced<F, X>, R>{detail::replace_in(f, n.x), n.e};
}

template <class F, class X, class Y>
FELT_FN auto replace_leaves(F const& f, concat_node<X, Y> const& n) {
    using N = concat_node<detail::replaced<F, X>, detail::replaced<F, Y>>;
    return N{detail::replace_in(f, n.x), n.axis};
}

template <class F, class X, class I>
FELT_FN auto replace_leaves(F const& f, gather_node<X, I> const& n) {
    using N = gather_node<detail::replaced<F, X>, detail::replaced<F, I>>;
    return N{detail::replace_in(f, n.x), n.axis};
}

template <class F, class X, class I>
FELT_FN auto replace_leaves(F const& f, scatter_node<X, I> const& n) {
    using N = scatter_node<detail::replaced<F, X>, detail::replaced<F, I>>;
    return N{detail::replace_in(f, n.x), n.axis, n.e};
}

template <class F, class X>
FELT_FN auto replace_leaves(F const& f, once_node<X> const& n) {
    return once_node<detail::replaced<F, X>>{detail::replace_in(f, n.x)};
}

template <class F, class M, unsigned Mask, class X>
FELT_FN auto replace_leaves(F const& f, reduce_node<M, Mask, X> const& n) {
    return reduce_node<M, Mask, detail::replaced<F, X>>{detail::replace_in(f, n.x)};
}

template <class F, class A, class B, std::size_t R, std::size_t S>
FELT_FN auto replace_leaves(F const& f, contract_node<A, B, R, S> const& n) {
    using N = contract_node<detail::replaced<F, A>, detail::replaced<F, B>, R, S>;
    N to{detail::replace_in(f, n.x), {}, {}, n.name};
    for (std::size_t r = 0; r < A::rank; ++r) to.a_label[r] = n.a_label[r];
    for (std::size_t r = 0; r < B::rank; ++r) to.b_label[r] = n.b_label[r];
    return to;
}

namespace detail {
struct view_of_leaf {
    template <class N>
    FELT_FN N operator()(N const& n) const {
        return n;
    }
    template <class T, std::size_t R, class Space>
    FELT_FN leaf<T, R, Space> operator()(owned<T, R, Space> const& n) const {
        return n.view;
    }
};
}  // namespace detail

template <node N>
FELT_FN auto lower(N const& n) {
    return replace_leaves(detail::view_of_leaf{}, n);
}
template <class N>
using lowered = decltype(lower(std::declval<N const&>()));

template <class T, std::size_t R, class Space, class E>
FELT_FN auto lower(statement<T, R, Space, E> const& s) {
    return statement<T, R, Space, lowered<E>>{s.data, s.e, s.stride, lower(s.expression),
                                              s.no_alias};
}

}  // namespace felt
