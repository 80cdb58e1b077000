// SPDX-License-Identifier: BSD-3-Clause
//
// nonzero, argwhere, masked_select, compress: as many elements as a condition has, in row-major
// order. A condition is what is not 0; NaN is not.
#pragma once
#include <felt/sorting_rows.hpp>
#include <array>

namespace felt::inline FELT_ABI {

namespace detail {

// The row-major numbers of what is true.
inline Tensor<index_t, 1> places_of(bool const* condition, index_t size) {
    Tensor<index_t, 1> y({std::count(condition, condition + size, true)}, uninitialized);
    index_t* to = y.data();
    for (index_t i = 0; i < size; ++i) {
        if (condition[i]) *to++ = i;
    }
    return y;
}

// out[r][i * step] = the index along axis r of element number places[i].
inline void split_places(Tensor<index_t, 1> const& places, index_t const* e, std::size_t rank,
                         index_t* const* out, index_t step) {
    for (index_t i = 0; i < places.size(); ++i) {
        index_t rest = places(i);
        for (std::size_t r = rank; r-- > 0; rest /= e[r]) out[r][i * step] = rest % e[r];
    }
}

template <selectable X>
Tensor<index_t, 1> places_in(X const& condition) {
    if constexpr (is_complex<value_of<X>>) {
        return places_in(condition != 0);
    } else {
        auto const all = in_order<bool>(condition);
        return places_of(all.data(), all.size());
    }
}

}  // namespace detail

// The indices of all x that are not 0, a vector for each axis: auto const [i, j] = nonzero(x).
template <selectable X>
    requires has_axes<X>
[[nodiscard]] auto nonzero(X const& x) {
    constexpr std::size_t R = rank_of<X>;
    auto const e = shape_of(x);
    auto const places = detail::places_in(x);
    std::array<Tensor<index_t, 1>, R> y;
    index_t* out[R];
    for (std::size_t r = 0; r != R; ++r) {
        y[r].reset(places.extents());
        out[r] = y[r].data();
    }
    detail::split_places(places, e.value, R, out, 1);
    return y;
}

// The same as rows of one matrix, (how many, rank of x).
template <selectable X>
[[nodiscard]] auto argwhere(X const& x) {
    constexpr std::size_t R = rank_of<X>;
    auto const e = shape_of(x);
    auto const places = detail::places_in(x);
    Tensor<index_t, 2> y({places.size(), R}, uninitialized);
    index_t* out[R + 1];
    for (std::size_t r = 0; r != R; ++r) out[r] = y.data() + r;
    detail::split_places(places, e.value, R, out, R);
    return y;
}

// The elements of x where the mask is true, a vector; x and mask broadcast.
template <selectable X, sortable M>
[[nodiscard]] auto masked_select(X const& x, M const& mask) {
    auto const [from, where] = broadcast_arrays(x, mask);
    auto const all = eval(from);
    auto const condition = eval(cast<bool>(where));
    bool const* const chosen = condition.data();
    Tensor<value_of<X>, 1> y({std::count(chosen, chosen + all.size(), true)}, uninitialized);
    auto* to = y.data();
    for (index_t i = 0; i < all.size(); ++i) {
        if (chosen[i]) *to++ = all.data()[i];
    }
    return y;
}

// The slices of x along axis A for which the condition, a vector, is true. Throws shape_error if
// that is longer or shorter than the axis.
template <int A, sortable C, selectable X>
    requires is_a_vector<C> && axis_is_in_range<A, rank_of<X>>
[[nodiscard]] auto compress(C const& condition, X const& x) {
    auto const c = shape_of(condition);
    auto const e = shape_of(x);
    if (c[0] != e[axis_v<A, rank_of<X>>]) {
        throw shape_error("compress: a condition of " + to_string(c) + " for axis " +
                          std::to_string(axis_v<A, rank_of<X>>) + " of " + to_string(e));
    }
    return eval(gather<A>(x, detail::places_in(condition)));
}

}  // namespace felt::inline FELT_ABI
