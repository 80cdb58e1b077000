// SPDX-License-Identifier: BSD-3-Clause
//
// windows(x, {kh, kw}, {stride, padding, dilation}) adds two axes that run over a window:
//
//     windows(x)[.., p, q, r, s] = x[.., p * stride + r * dilation - padding, ..]
//
// with 0 outside of x. Convolution and pooling are contractions and reductions over it.
#pragma once
#include <felt/expr/view.hpp>
#include <utility>

namespace felt::inline FELT_ABI {

struct window_options {
    extent_arg stride[2] = {1, 1};
    extent_arg padding[2] = {0, 0};
    extent_arg dilation[2] = {1, 1};
};

namespace detail {

// The map of windows over the last D axes of x of extents e; `name` is who asks, for the error.
template <std::size_t S, std::size_t D>
view_map<S, S + D> window_map(char const* name, extents<S> const& e, extents<D> const& window,
                              extent_arg const (&strides)[D], extent_arg const (&padding)[D],
                              extent_arg const (&dilation)[D]) {
    view_map<S, S + D> m{};
    for (std::size_t s = 0; s != S; ++s) {
        m.e[s] = e[s];
        m.rule[s].out1 = static_cast<int>(s);
        m.rule[s].stride = 1;
    }
    for (std::size_t i = 0; i < D; ++i) {
        std::size_t const s = S - D + i;
        index_t const k = window[i], stride = strides[i].value;
        index_t const span = dilation[i].value * (k - 1) + 1;
        index_t const room = e[s] + 2 * padding[i].value - span;
        if (k < 1 || stride < 1 || dilation[i].value < 1 || padding[i].value < 0 || room < 0) {
            throw shape_error(std::string(name) + ": a window of " + std::to_string(k) + " (span " +
                              std::to_string(span) + ") does not fit axis " + std::to_string(s) +
                              " of " + to_string(e));
        }
        m.e[s] = room / stride + 1;
        m.e[S + i] = k;
        m.rule[s] = {static_cast<int>(s), static_cast<int>(S + i), stride, dilation[i].value,
                     -padding[i].value};
    }
    return m;
}
template <std::size_t S>
view_map<S, S + 2> window_map(char const* name, extents<S> const& e, extents<2> const& window,
                              window_options const& o) {
    return window_map(name, e, window, o.stride, o.padding, o.dilation);
}

// The view `m` of x, in two: x with `outside` around it as far as a window reaches, whose elements
// several windows share; and windows of that, which are only strides.
template <class X, std::size_t S, std::size_t R>
auto windows_of(X&& x, view_map<S, R> m, value_of<X> outside) {
    auto around = identity_map(shape_of(x));
    bool padded = false;
    for (std::size_t s = S - (R - S); s != S; ++s) {
        axis_rule& r = m.rule[s];
        index_t const last = (m.e[s] - 1) * r.stride;
        index_t const window = m.e[static_cast<std::size_t>(r.out2)];
        padded = padded || r.offset != 0;
        around.e[s] = m.e[s] > 0 ? last + r.dilation * (window - 1) + 1 : 0;
        around.rule[s].offset = std::exchange(r.offset, 0);
    }
    return make_view(
        make_general_view(std::forward<X>(x), around, outside, padded ? "pad" : "reach"), m,
        "windows");
}

}  // namespace detail

template <array_operand X>
    requires has_rows_and_columns<X>
auto windows(X&& x, extent_arg const (&window)[2], window_options const& o = {}) {
    auto const m = detail::window_map("windows", shape_of(x), make_extents(window), o);
    return detail::windows_of(std::forward<X>(x), m, {});
}

}  // namespace felt::inline FELT_ABI
