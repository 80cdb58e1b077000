// SPDX-License-Identifier: BSD-3-Clause
//
// once(x): x itself, marked as expensive and used several times: a plan computes each box of it
// once and lets all its uses read that. Compositions use it (softmax); it never changes a value. A
// shared_node is the same, found by share.hpp instead of said.
#pragma once
#include <felt/expr/leaf.hpp>

namespace felt::inline FELT_ABI {

template <class X>
struct once_node {
    using value_type = typename X::value_type;
    using space = typename X::space;
    static constexpr node_kind what = node_kind::once;
    static constexpr std::size_t rank = X::rank;
    static constexpr char const* name = "once";

    tuple<X> x;

    FELT_FN felt::extents<rank> extents() const { return x.head.extents(); }
    FELT_FN tuple<X> const& operands() const { return x; }
    template <class Y>
    FELT_FN once_node<Y> over(tuple<Y> y) const {
        return {std::move(y)};
    }
};

template <class X>
struct shared_node : once_node<X> {};

namespace detail {
template <node X>
auto once(X x) {
    return once_node<X>{{std::move(x)}};
}
}  // namespace detail

}  // namespace felt::inline FELT_ABI
