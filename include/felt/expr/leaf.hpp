// SPDX-License-Identifier: BSD-3-Clause
//
// The leaves of an expression, and the door through which operands enter it: as_node(x).
// A named tensor enters as a view; a temporary one is moved in, so that `auto e = exp(make());`
// does not dangle.
#pragma once
#include <felt/core/tuple.hpp>
#include <felt/expr/kind.hpp>
#include <felt/tensor/tensor.hpp>
#include <memory>

namespace felt::inline FELT_ABI {

// Elements in memory that lives elsewhere. Strides are in elements.
template <class T, std::size_t R, class Space>
struct FELT_LAZY leaf {
    using value_type = T;
    using space = Space;
    static constexpr node_kind what = node_kind::leaf;
    static constexpr std::size_t rank = R;
    static constexpr char const* name = "leaf";

    T const* data;
    felt::extents<R> e;
    felt::extents<R> stride;
    detail::owner_t owner = 0;  // of the memory, where lifetimes are checked

    FELT_FN felt::extents<R> extents() const { return e; }
    FELT_FN tuple<> operands() const { return {}; }
    bool has_data_of(leaf const& n) const {
        return data == n.data && e == n.e && stride == n.stride;
    }
};

// A tensor that was moved into the expression: shared and constant, so that copies are O(1).
template <class T, std::size_t R, class Space>
struct FELT_LAZY owned {
    using value_type = T;
    using space = Space;
    static constexpr node_kind what = node_kind::leaf;
    static constexpr std::size_t rank = R;
    static constexpr char const* name = "leaf";

    std::shared_ptr<storage<T, Space> const> keep;
    leaf<T, R, Space> view;

    FELT_HOST_DEVICE felt::extents<R> extents() const { return view.e; }
    FELT_HOST_DEVICE tuple<> operands() const { return {}; }
    bool has_data_of(owned const& n) const { return view.has_data_of(n.view); }
};

// One value; it broadcasts to every shape.
template <class T>
struct FELT_LAZY scalar {
    using value_type = T;
    using space = Anywhere;
    static constexpr node_kind what = node_kind::scalar;
    static constexpr std::size_t rank = 0;
    static constexpr char const* name = "scalar";

    T value;

    FELT_FN felt::extents<0> extents() const { return {}; }
    FELT_FN tuple<> operands() const { return {}; }
    bool has_data_of(scalar const& n) const { return detail::equal_bits(value, n.value); }
};

template <node X>
auto as_node(X&& x) {
    return std::remove_cvref_t<X>(std::forward<X>(x));
}

template <class X>
    requires element<std::remove_cvref_t<X>>
auto as_node(X&& x) {
    return scalar<std::remove_cvref_t<X>>{x};
}

template <strided_array X>
auto as_node(X&& x) {
    auto const e = x.extents();
    return leaf<value_of<X>, rank_of<X>, space_of<X>>{x.data(), e, x.strides(),
                                                      detail::owner_of(x.data(), e.size())};
}

template <class T, std::size_t R, class Space, class Layout>
auto as_node(Tensor<T, R, Space, Layout>&& x) {
    auto const e = x.extents();
    auto keep = std::make_shared<storage<T, Space> const>(std::move(x).release());
    leaf<T, R, Space> const view{keep->data(), e, Layout::strides(e)};
    return owned<T, R, Space>{std::move(keep), view};
}

// A foreign temporary that owns its elements is copied: nobody else will keep them.
template <foreign_operand X>
auto as_node(X&& x) {
    using door = foreign_array<std::remove_cvref_t<X>>;
    auto const v = door::view(x);
    if constexpr (std::is_lvalue_reference_v<X> || requires { typename door::borrows; }) {
        return as_node(v);
    } else {
        Tensor<value_of<X>, rank_of<X>, space_of<X>> copy;
        copy = v;
        return as_node(std::move(copy));
    }
}

template <operand X>
using node_of = decltype(as_node(std::declval<X>()));

// The extents of an operand, also of an array that has others' names for them.
template <array_operand X>
FELT_INLINE auto shape_of(X const& x) {
    if constexpr (foreign_operand<X const&>) {
        return foreign_array<X>::view(x).extents();
    } else {
        return x.extents();
    }
}

}  // namespace felt::inline FELT_ABI
