// SPDX-License-Identifier: BSD-3-Clause
//
// pad(x, {{lo, hi}, ..}, value): lo elements before and hi after each axis, all `value`.
// pad(x, {{lo, hi}, ..}, pad_mode::reflect): the same, of the elements of x.
#pragma once
#include <felt/expr/view.hpp>

namespace felt::inline FELT_ABI {

struct pad_width {
    extent_arg lo, hi;
};

template <class X, std::size_t R>
concept one_width_for_every_axis = R == rank_of<X>;

namespace detail {

template <std::size_t R>
view_map<R, R> pad_map(extents<R> const& e, pad_width const (&width)[R]) {
    auto m = identity_map(e);
    for (std::size_t r = 0; r != R; ++r) {
        auto const [lo, hi] = width[r];
        if (lo.value < 0 || hi.value < 0) {
            throw shape_error("pad: negative width on axis " + std::to_string(r) + " of " +
                              to_string(e));
        }
        m.e[r] += lo.value + hi.value;
        m.rule[r].offset = -lo.value;
    }
    return m;
}

// An axis has enough elements to be continued by `width` of them.
inline void check_border(pad_mode mode, pad_width const& width, index_t extent, std::size_t axis,
                         std::string const& shape) {
    index_t const most = std::max(width.lo.value, width.hi.value);
    index_t const room = mode == pad_mode::reflect ? extent - 1 : extent > 0 ? most : 0;
    if (most <= std::max<index_t>(room, 0)) return;
    throw shape_error("pad: " + std::to_string(most) + " elements beside axis " +
                      std::to_string(axis) + " of " + shape + ", which has " +
                      std::to_string(std::max<index_t>(room, 0)) +
                      (mode == pad_mode::reflect ? " to mirror" : " to repeat"));
}

}  // namespace detail

template <array_operand X, std::size_t R>
    requires one_width_for_every_axis<X, R>
auto pad(X&& x, pad_width const (&width)[R], value_of<X> value = {}) {
    auto const m = detail::pad_map(shape_of(x), width);
    return make_general_view(std::forward<X>(x), m, value, "pad");
}

// Throws shape_error where an axis has too few elements: to mirror w of them it takes w + 1, to
// repeat any number one.
template <array_operand X, std::size_t R, std::same_as<pad_mode> Mode>
    requires one_width_for_every_axis<X, R>
auto pad(X&& x, pad_width const (&width)[R], Mode mode) {
    auto const e = shape_of(x);
    auto m = detail::pad_map(e, width);
    if (mode == pad_mode::constant) throw error("pad: pad_mode::constant is pad(x, {..}, value)");
    for (std::size_t r = 0; r != R; ++r) {
        detail::check_border(mode, width[r], e[r], r, to_string(e));
        m.rule[r].mode = mode;
    }
    return make_folded_view(std::forward<X>(x), m, "pad");
}

}  // namespace felt::inline FELT_ABI
