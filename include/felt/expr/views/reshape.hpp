// SPDX-License-Identifier: BSD-3-Clause
//
// reshape(x, {..}): the same elements in row-major order under other extents; one extent may
// be -1 and is then computed. A named RowMajor tensor
// becomes a view of its memory, which can be a destination.
#pragma once
#include <felt/expr/view.hpp>

namespace felt::inline FELT_ABI {

template <class X, std::size_t R>
struct FELT_LAZY reshape_node {
    static_assert(R <= max_loops, "an expression has at most felt::max_loops axes");
    using value_type = typename X::value_type;
    using space = typename X::space;
    static constexpr node_kind what = node_kind::reshape;
    static constexpr std::size_t rank = R;
    static constexpr char const* name = "reshape";

    tuple<X> x;
    felt::extents<R> e;

    FELT_FN felt::extents<R> extents() const { return e; }
    FELT_FN tuple<X> const& operands() const { return x; }
    template <class Y>
    FELT_FN reshape_node<Y, R> over(tuple<Y> y) const {
        return {std::move(y), e};
    }
    bool has_data_of(reshape_node const& n) const { return e == n.e; }
};

namespace detail {

template <std::size_t S, std::size_t R>
extents<R> reshaped_extents(extents<S> const& from, extents<R> to) {
    index_t known = 1;
    int open = -1;
    for (std::size_t r = 0; r != R; ++r) {
        if (to[r] == -1 && open < 0) {
            open = static_cast<int>(r);
        } else {
            known *= to[r];
        }
    }
    if (open >= 0 && known > 0) to[static_cast<std::size_t>(open)] = from.size() / known;
    checked_extents("reshape", to);
    if (to.size() != from.size()) {
        throw shape_error("reshape: " + to_string(from) + " has " + std::to_string(from.size()) +
                          " elements, " + to_string(to) + " has " + std::to_string(to.size()));
    }
    return to;
}

template <class X>
concept named_row_major_tensor = std::is_lvalue_reference_v<X> && requires {
    requires std::same_as<typename std::remove_cvref_t<X>::layout, RowMajor>;
};

}  // namespace detail

template <array_operand X, std::size_t R>
[[nodiscard]] auto reshape(X&& x, extents<R> const& to) {
    auto const e = detail::reshaped_extents(shape_of(x), to);
    if constexpr (detail::named_row_major_tensor<X>) {
        return view<RowMajor, space_of<X>>(x.data(), e);
    } else {
        auto n = as_node(std::forward<X>(x));
        using N = decltype(n);
        return reshape_node<N, R>{{std::move(n)}, e};
    }
}
template <array_operand X, std::size_t R>
[[nodiscard]] auto reshape(X&& x, extent_arg const (&to)[R]) {
    return reshape(std::forward<X>(x), make_extents(to));
}

// All elements as a vector, in row-major order.
template <array_operand X>
[[nodiscard]] auto flatten(X&& x) {
    return reshape(std::forward<X>(x), {-1});
}

template <std::integral... I>
void reshape(refused_extents, I...);  // takes nothing

}  // namespace felt::inline FELT_ABI
