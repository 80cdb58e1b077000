// SPDX-License-Identifier: BSD-3-Clause
//
// steps(X): the array that a series X has at one step of a loop over its axis 0. In the cell of a
// scan it is x_t; outside of one it is the first step. steps(X, k) begins with step k.
#pragma once
#include <felt/expr/assign.hpp>
#include <felt/grad/named.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI {

// T is const where it can't be written.
template <class T, std::size_t R, class Space>
struct FELT_LAZY step_node {
    using value_type = std::remove_const_t<T>;
    using space = Space;
    static constexpr node_kind what = node_kind::leaf;
    static constexpr std::size_t rank = R;
    static constexpr char const* name = "leaf";

    leaf<value_type, R, Space> first;
    index_t stride;  // from step to step
    index_t count;
    index_t period;  // steps k and k + period share their memory

    FELT_FN felt::extents<R> extents() const { return first.e; }
    FELT_FN tuple<> operands() const { return {}; }
    FELT_FN leaf<value_type, R, Space> const& plain() const { return first; }

    // At step t, or at the last one.
    leaf<value_type, R, Space> at(index_t t) const {
        auto n = first;
        n.data += std::min(t, count - 1) % period * stride;
        return n;
    }
    // `last` of the steps, as a series.
    leaf<value_type, R + 1, Space> series(index_t last) const {
        leaf<value_type, R + 1, Space> n{first.data, {}, {}, first.owner};
        n.e[0] = last, n.stride[0] = stride;
        for (std::size_t r = 0; r != R; ++r)
            n.e[r + 1] = first.e[r], n.stride[r + 1] = first.stride[r];
        return n;
    }
};

namespace detail {
[[noreturn]] FELT_PLANNING inline void steps_fail(shape_ref e, index_t first) {
    throw shape_error("steps: " + e.text() + " has no step " + std::to_string(first));
}
}  // namespace detail

template <class X>
concept series_has_an_axis_of_steps = strided_array<X> && (rank_of<X> > 0);

// X is a tensor or view that has its memory already. Throws shape_error if it has no step `first`.
template <array_operand X>
    requires series_has_an_axis_of_steps<X>
auto steps(X&& x, index_t first = 0) {
    constexpr std::size_t R = rank_of<X> - 1;
    using T = std::remove_reference_t<decltype(*x.data())>;
    auto const all = as_node(x);
    if (first < 0 || first >= all.e[0]) apart<&detail::steps_fail>::call(all.e, first);
    leaf<std::remove_const_t<T>, R, space_of<X>> n{
        all.data + first * all.stride[0], {}, {}, all.owner};
    for (std::size_t r = 0; r != R; ++r) n.e[r] = all.e[r + 1], n.stride[r] = all.stride[r + 1];
    index_t const count = all.e[0] - first;
    return step_node<T, R, space_of<X>>{n, all.stride[0], count, count};
}

namespace derive {

// x as it is one step later.
template <class X>
struct FELT_LAZY next_node {
    using value_type = typename X::value_type;
    using space = typename X::space;
    static constexpr node_kind what = node_kind::affine;
    static constexpr std::size_t rank = X::rank;
    static constexpr char const* name = "next step";

    tuple<X> x;

    FELT_FN felt::extents<rank> extents() const { return x.head.extents(); }
    FELT_FN tuple<X> const& operands() const { return x; }
    template <class Y>
    FELT_FN next_node<Y> over(tuple<Y> y) const {
        return {std::move(y)};
    }
    auto plain() const { return detail::plain(x.head); }
};

template <class N>
inline constexpr bool is_step = false;
template <class T, std::size_t R, class Space>
inline constexpr bool is_step<step_node<T, R, Space>> = true;
template <class Name, class X>
inline constexpr bool is_step<named_node<Name, X>> = is_step<X>;
template <class N>
inline constexpr bool is_next = false;
template <class X>
inline constexpr bool is_next<next_node<X>> = true;
template <class N>
inline constexpr bool is_named_leaf = false;
template <class Name, class X>
inline constexpr bool is_named_leaf<named_node<Name, X>> = true;

template <class T, std::size_t R, class Space>
auto leaf_at(step_node<T, R, Space> const& n, index_t t) {
    return n.at(t);
}
template <class Name, class X>
auto leaf_at(named_node<Name, X> const& n, index_t t) {
    return n.x.at(t);
}

// n without notation as it is at step t. states.before(n, t) is that of a state before the step.
template <node N, class States>
auto at_step(N const& n, States const& states, index_t t) {
    if constexpr (!detail::has_notation<N>) {
        return n;
    } else if constexpr (is_step<N>) {
        return leaf_at(n, t);
    } else if constexpr (States::template has<N>) {
        return states.before(n, t);
    } else if constexpr (is_named_leaf<N>) {
        return detail::plain(n);
    } else if constexpr (is_next<N>) {
        return at_step(n.x.head, states, t + 1);
    } else {
        auto const over = [&](auto const&... x) {
            return n.over(felt::make_tuple(at_step(x, states, t)...));
        };
        if constexpr (detail::stands_for_another<N>) return apply(over, n.operands()).plain();
        else return detail::folded_view(apply(over, n.operands()));
    }
}

}  // namespace derive

}  // namespace felt::inline FELT_ABI
