// SPDX-License-Identifier: BSD-3-Clause
//
// scan: what an associative op makes of the elements up to each one along an axis,
//
//     inclusive_scan<A>(op, x)[.., i, ..] = op(.. op(op(x[0], x[1]), x[2]) .., x[i])
//
// and cumsum, cumprod, cummax, cummin, logcumsumexp. One element after the other in that order,
// whatever the layout, the loops or the threads: a sum of i terms has an error of at most i u sum
// |x|, where u is half an ulp of 1. The result has the shape of x, nothing over nothing; NaN goes
// on to the end.
#pragma once
#include <felt/expr/reduce.hpp>

namespace felt::inline FELT_ABI {

template <class F, int A, class X>
struct FELT_LAZY scan_node {
    using value_type = typename X::value_type;
    using space = typename X::space;
    static constexpr node_kind what = node_kind::scan;
    static constexpr std::size_t rank = X::rank;
    static constexpr int axis = A;
    static constexpr char const* name = "scan";

    tuple<X> x;
    F op;

    FELT_FN felt::extents<rank> extents() const { return x.head.extents(); }
    FELT_FN tuple<X> const& operands() const { return x; }
    template <class Y>
    FELT_FN scan_node<F, A, Y> over(tuple<Y> y) const {
        return {std::move(y), op};
    }
    bool has_data_of(scan_node const& n) const { return detail::equal_functions(op, n.op); }
};

// An axis of x; of a row it may be left out.
template <class X, int... A>
concept scans_one_axis = (sizeof...(A) == 0 && rank_of<X> == 1) ||
                         (sizeof...(A) == 1 && (axis_is_in_range<A, rank_of<X>> && ...));

template <class F, class X>
concept op_combines_elements = requires(std::decay_t<F const&> const& f, value_of<X> x) {
    { f(x, x) } -> std::convertible_to<value_of<X>>;
};

namespace detail {

template <int... A, class F, node X>
auto scan(F const& op, X x) {
    constexpr int axis = static_cast<int>(axis_v<(0 + ... + A), X::rank>);
    return scan_node<F, axis, X>{{std::move(x)}, op};
}

template <class M, int... A, class X>
auto scan_by(X&& x) {
    using T = typename M::template result<computed_t<value_of<X>>>;
    return scan<A...>(M{}, to_type<T>(as_node(std::forward<X>(x))));
}

}  // namespace detail

// Sums and products of integers and bool are index_t.
template <int... A, array_operand X>
    requires scans_one_axis<X, A...>
auto cumsum(X&& x) {
    return detail::scan_by<monoid::sum, A...>(std::forward<X>(x));
}
template <int... A, array_operand X>
    requires scans_one_axis<X, A...>
auto cumprod(X&& x) {
    return detail::scan_by<monoid::prod, A...>(std::forward<X>(x));
}
template <int... A, array_operand X>
    requires scans_one_axis<X, A...>
auto cummax(X&& x) {
    return detail::scan_by<monoid::max, A...>(std::forward<X>(x));
}
template <int... A, array_operand X>
    requires scans_one_axis<X, A...>
auto cummin(X&& x) {
    return detail::scan_by<monoid::min, A...>(std::forward<X>(x));
}

// log(e^x[0] + .. + e^x[i]), without overflow; integers as double.
template <int... A, array_operand X>
    requires scans_one_axis<X, A...>
auto logcumsumexp(X&& x) {
    using T = floating_t<X>;
    return detail::scan<A...>(op::logaddexp{}, detail::to_type<T>(as_node(std::forward<X>(x))));
}

// By a named functor of two elements, which takes batches too if it is to run at vector speed.
template <int... A, class F, array_operand X>
    requires scans_one_axis<X, A...> && op_combines_elements<F, X> &&
             function_is_known_in_space<F, space_of<X>>
auto inclusive_scan(F const& op, X&& x) {
    using function = user_function<std::decay_t<F const&>>;
    return detail::scan<A...>(function{{op}}, detail::as_computed(std::forward<X>(x)));
}

// The same of `initial` and the elements before each one: `initial`, op(initial, x[0]), ..
template <int... A, class F, array_operand X>
    requires scans_one_axis<X, A...> && op_combines_elements<F, X> &&
             function_is_known_in_space<F, space_of<X>>
auto exclusive_scan(F const& op, X&& x, value_of<X> initial) {
    auto m = identity_map(shape_of(x));
    m.rule[axis_v<(0 + ... + A), rank_of<X>>].offset = -1;
    return inclusive_scan<A...>(op, make_general_view(std::forward<X>(x), m, initial, "shift"));
}

}  // namespace felt::inline FELT_ABI
