// SPDX-License-Identifier: BSD-3-Clause
//
// view: another way to index the same elements. A view is data: for each axis s of its source
//
//     source[s] = (out[out1] * stride + out[out2] * dilation + offset) / divide
//
// where that lies in the source, else a fill value; an exact rule fills too where the division
// leaves a remainder, and a folded one (out[out1] + offset) goes on with the source's own elements.
// Affine views (divide 1, never outside) of tensors are views of memory, so that they can be
// destinations; all others are nodes.
#pragma once
#include <felt/expr/leaf.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI {

// What stands before and after an axis: a value, or its own elements: as in copies of it, one after
// the other; mirrored at its first and its last, which are not repeated; the nearest of them.
enum class pad_mode : unsigned char { constant, wrap, reflect, edge };

struct axis_rule {
    int out1 = -1;  // -1: none
    int out2 = -1;
    index_t stride = 0;
    index_t dilation = 0;
    index_t offset = 0;
    index_t divide = 1;
    bool exact = false;
    pad_mode mode = pad_mode::constant;

    friend constexpr bool operator==(axis_rule const&, axis_rule const&) = default;
};

// Extents R of the view and one rule for each of the S axes of its source.
template <std::size_t S, std::size_t R>
struct view_map {
    felt::extents<R> e;
    axis_rule rule[extents<S>::stored];
};

// Affine views are read through; the others are evaluated into scratch, box by box. A folded view
// has a mode on some axis, and no fill value.
enum class view_kind { affine, general, folded };

// Where index i of an axis of n elements is found, however far outside it is; of n > 0, and within
// n - 1 from it if it is mirrored.
FELT_FN index_t folded(pad_mode mode, index_t i, index_t n) {
    if (i >= 0 && i < n) return i;
    switch (mode) {
        case pad_mode::wrap:
            return i % n < 0 ? i % n + n : i % n;
        case pad_mode::reflect:
            return i < 0 ? -i : 2 * (n - 1) - i;
        case pad_mode::edge:
            return i < 0 ? 0 : n - 1;
        default:
            return i;
    }
}

template <view_kind Kind, class X, std::size_t R>
struct FELT_LAZY view_node {
    static_assert(R <= max_loops, "an expression has at most felt::max_loops axes");
    using value_type = typename X::value_type;
    using space = typename X::space;
    static constexpr node_kind what =
        Kind == view_kind::affine ? node_kind::affine : node_kind::general;
    static constexpr std::size_t rank = R;
    static constexpr view_kind kind = Kind;

    tuple<X> x;
    view_map<X::rank, R> map;
    value_type fill;
    char const* name;

    FELT_FN felt::extents<R> extents() const { return map.e; }
    FELT_FN tuple<X> const& operands() const { return x; }
    template <class Y>
    FELT_FN view_node<Kind, Y, R> over(tuple<Y> y) const {
        return {std::move(y), map, fill, name};
    }
    bool has_data_of(view_node const& n) const {
        return std::ranges::equal(map.rule, n.map.rule) && map.e == n.map.e &&
               detail::equal_bits(fill, n.fill);
    }

    // One value: float s = slice(x + 1, 2, 3);
    operator value_type() const
        requires(rank == 0)
    {
        return run_to_value(*this);
    }
};

namespace detail {

// What an affine view of memory is: the same memory by other strides.
template <class T, class Space, std::size_t S, std::size_t R>
View<T, R, Space> view_memory(T* data, extents<S> const& stride, view_map<S, R> const& map) {
    extents<R> to;
    for (std::size_t s = 0; s != S; ++s) {
        axis_rule const& r = map.rule[s];
        if (r.out1 >= 0) to[static_cast<std::size_t>(r.out1)] += r.stride * stride[s];
        if (r.out2 >= 0) to[static_cast<std::size_t>(r.out2)] += r.dilation * stride[s];
        if (map.e.size() > 0) data += r.offset * stride[s];
    }
    return {data, map.e, to};
}

// A view of memory is memory, as it would be of the tensor itself.
template <class N>
auto folded_view(N n) {
    return n;
}
template <class T, std::size_t S, std::size_t R, class Space>
auto folded_view(view_node<view_kind::affine, leaf<T, S, Space>, R> const& n) {
    leaf<T, S, Space> const& x = n.x.head;
    auto const v = view_memory<T const, Space>(x.data, x.stride, n.map);
    return leaf<T, R, Space>{v.data(), v.extents(), v.strides(), x.owner};
}

}  // namespace detail

// The affine view `map` of x: memory if x is a named tensor or a view, or a node of these, else a
// node.
template <array_operand X, std::size_t S, std::size_t R>
auto make_view(X&& x, view_map<S, R> const& map, char const* name) {
    constexpr bool temporary =
        !std::is_lvalue_reference_v<X> && !std::is_trivially_destructible_v<std::remove_cvref_t<X>>;
    if constexpr (strided_array<X> && !temporary) {
        using T = std::remove_pointer_t<decltype(x.data())>;
        return detail::view_memory<T, space_of<X>>(x.data(), x.strides(), map);
    } else {
        auto n = as_node(std::forward<X>(x));
        using N = decltype(n);
        return detail::folded_view(
            view_node<view_kind::affine, N, R>{{std::move(n)}, map, {}, name});
    }
}

// Any other view: elements outside of x are `fill`.
template <array_operand X, std::size_t S, std::size_t R>
auto make_general_view(X&& x, view_map<S, R> const& map, value_of<X> fill, char const* name) {
    auto n = as_node(std::forward<X>(x));
    using N = decltype(n);
    return view_node<view_kind::general, N, R>{{std::move(n)}, map, fill, name};
}

// A view whose elements are all x's, wherever its rules lead.
template <array_operand X, std::size_t S, std::size_t R>
auto make_folded_view(X&& x, view_map<S, R> const& map, char const* name) {
    auto n = as_node(std::forward<X>(x));
    using N = decltype(n);
    return view_node<view_kind::folded, N, R>{{std::move(n)}, map, {}, name};
}

// The map that changes nothing; views start from it.
template <std::size_t R>
view_map<R, R> identity_map(extents<R> const& e) {
    view_map<R, R> m{e, {}};
    for (std::size_t r = 0; r != R; ++r) {
        m.rule[r].out1 = static_cast<int>(r);
        m.rule[r].stride = 1;
    }
    return m;
}

}  // namespace felt::inline FELT_ABI
