// SPDX-License-Identifier: BSD-3-Clause
//
// lower(e): the same values as a tree of views and plain values, which is trivially copyable: it
// can be passed to a kernel. Tensors that were moved into e stay alive as long as e does, not as
// long as the lowered tree; what is packed is a view of its copy. lower(s) does the same for the
// expression of a statement. in_space<Space>(e or s) lowers, too, and takes the memory for that of
// another space, from which the same addresses reach it, or those that address(p) says.
#pragma once
#include <felt/expr/assign.hpp>
#include <felt/expr/kind.hpp>
#include <felt/expr/packed.hpp>

namespace felt::inline FELT_ABI {

// replace_leaves(f, e): the tree of e with f(x) for every node x that has no operands.
template <class F, node N>
FELT_FN auto replace_leaves(F const& f, N const& n);

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

FELT_CALLS_EITHER template <class F, node N>
FELT_FN auto replace_leaves(F const& f, N const& n) {
    if constexpr (has_no_operands<N>) {
        return f(n);
    } else {
        return n.over(detail::replace_in(f, n.x));
    }
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
    template <class T, std::size_t R, class Space>
    leaf<T, R, Space> operator()(packed_node<T, R, Space> const& n) const {
        return n.state->along(static_cast<int>(R) - 1);
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

namespace detail {
struct same_address {
    template <class T>
    T* operator()(T* p) const {
        return p;
    }
};
template <class To, class Address>
struct leaf_in_space {
    Address address;

    template <class N>
    N operator()(N const& n) const {
        return n;
    }
    template <class T, std::size_t R, class From>
    auto operator()(leaf<T, R, From> const& n) const {
        if constexpr (std::is_same_v<From, To>) return n;
        else return leaf<T, R, To>{address(n.data), n.e, n.stride};
    }
};
}  // namespace detail

template <class To, class Address = detail::same_address, node N>
auto in_space(N const& n, Address address = {}) {
    return replace_leaves(detail::leaf_in_space<To, Address>{address}, lower(n));
}
template <class To, class Address = detail::same_address, class T, std::size_t R, class From,
          class E>
auto in_space(statement<T, R, From, E> const& s, Address address = {}) {
    auto e = in_space<To>(s.expression, address);
    return statement<T, R, To, decltype(e)>{address(s.data), s.e, s.stride, e, s.no_alias};
}

}  // namespace felt::inline FELT_ABI
