// SPDX-License-Identifier: BSD-3-Clause
//
// Windows of pools over the last two axes of (N, C, H, W): their shapes, the view of an image that
// they are, and the view of results that an element's windows are.
#pragma once
#include <felt/expr/convolve.hpp>
#include <felt/expr/fill.hpp>
#include <felt/expr/once.hpp>

namespace felt::inline FELT_ABI {

// A stride of 0 is the window's extent: windows side by side.
struct pool_options {
    extent_arg window[2] = {2, 2};
    extent_arg stride[2] = {0, 0};
    extent_arg padding[2] = {0, 0};
};

namespace detail {

// Pooling along one axis: extent n of the images, p of the results.
struct pool_axis {
    index_t n, p, window, stride, padding;

    // Side by side: each element lies in one window.
    FELT_FN bool tiled() const { return window == stride; }
    index_t covering() const { return tiled() ? 1 : window; }
    bool operator==(pool_axis const&) const = default;
};

// Element k of the window at (p, q) as a place in the image, at its edge if it is padding. Windows
// have less than 2^50 elements: then the quotient by a reciprocal, which lanes can do, is exact.
template <class J>
struct place_in_image {
    pool_axis h, w;
    double rows_per_element = 1.0 / static_cast<double>(w.window);

    FELT_FN static index_t inside(index_t i, index_t n) { return i < 0 ? 0 : i < n ? i : n - 1; }
    FELT_FN J operator()(index_t k, index_t p, index_t q) const {
        auto const row = static_cast<index_t>((static_cast<double>(k) + 0.5) * rows_per_element);
        index_t const i = p * h.stride - h.padding + row;
        index_t const j = q * w.stride - w.padding + k - row * w.window;
        return static_cast<J>(inside(i, h.n) * w.n + inside(j, w.n));
    }
    bool operator==(place_in_image const&) const = default;
};

// Where element (h, w) of the image is in its window (i, j) of covering_windows, as argmax over a
// window counts.
template <class J>
struct place_in_window {
    pool_axis down, across;

    FELT_FN static index_t along(pool_axis const& a, index_t x, index_t i) {
        return a.tiled() ? (x + a.padding) % a.stride : i;
    }
    FELT_FN J operator()(index_t h, index_t w, index_t i, index_t j) const {
        return static_cast<J>(along(down, h, i) * across.window + along(across, w, j));
    }
    bool operator==(place_in_window const&) const = default;
};

// The stride k if none is given. Padding reaches half of a window of k, so that each has elements.
FELT_PLANNING inline index_t pool_stride(char const* name, index_t k, index_t stride,
                                         index_t padding) {
    if (2 * padding > k) {
        throw shape_error(std::string(name) + ": padding " + std::to_string(padding) +
                          " is more than half of window " + std::to_string(k));
    }
    return stride == 0 ? k : stride;
}

struct pool_shape {
    pool_axis axis[2];
    window_options options;
};

FELT_PLANNING inline pool_shape shape_of_pool(char const* name, extents<4> const& x,
                                              pool_options const& o) {
    pool_shape s;
    for (int i = 0; i < 2; ++i) {
        index_t const k = o.window[i].value;
        index_t const step = pool_stride(name, k, o.stride[i].value, o.padding[i].value);
        s.options.stride[i] = step;
        s.options.padding[i] = o.padding[i];
        s.axis[i] = {x[static_cast<std::size_t>(2 + i)], 0, k, step, o.padding[i].value};
    }
    auto const m = window_map(name, x, make_extents(o.window), s.options);
    s.axis[0].p = m.e[2];
    s.axis[1].p = m.e[3];
    return s;
}

template <class X>
auto pool_windows(X&& x, pool_options const& o, pool_shape const& s, value_of<X> outside) {
    auto const m = window_map("pool", shape_of(x), make_extents(o.window), s.options);
    return windows_of(std::forward<X>(x), m, outside);
}

// y[n, c, p, q] as [n, c, h, w, i, j]: the result of the window of which (h, w) is element (i, j),
// or `outside`. The results are set apart by the stride first: then these windows are windows, too.
// Of windows side by side there is one, (h + padding) / stride.
template <class Y>
auto covering_windows(Y&& y, pool_shape const& s, value_of<Y> outside) {
    auto const e = shape_of(y);
    auto apart = identity_map(e);
    view_map<4, 6> m{{{e[0], e[1]}}, {{0, -1, 1}, {1, -1, 1}}};
    for (int i = 0; i < 2; ++i) {
        pool_axis const& a = s.axis[i];
        int const from = 2 + i, element = 4 + i;
        auto const axis = static_cast<std::size_t>(from);
        m.e[axis] = a.n, m.e[static_cast<std::size_t>(element)] = a.covering();
        m.rule[axis] = {from, -1, 1, 0, a.padding, a.stride};
        if (a.tiled()) continue;
        index_t const last = a.window - 1;
        apart.e[axis] = a.n > 0 ? a.n + last : 0;
        apart.rule[axis] = {from, -1, 1, 0, a.padding - last, a.stride, true};
        m.rule[axis] = {from, element, 1, -1, last};
        if (last == 0) m.rule[axis].out2 = -1, m.rule[axis].dilation = 0;
    }
    return make_general_view(make_general_view(std::forward<Y>(y), apart, outside, "results apart"),
                             m, outside, "covering windows");
}

// Places in windows, as [h, w, i, j] of covering_windows.
template <class J>
auto places_in_windows(pool_shape const& s) {
    auto const& [h, w] = s.axis;
    auto const image = [](pool_axis const& a) { return a.tiled() ? a.n : 1; };
    return once(make_map(place_in_window<J>{h, w}, iota<index_t>({image(h), 1, 1, 1}),
                         iota<index_t>({image(w), 1, 1}), iota<index_t>({h.covering(), 1}),
                         iota<index_t>({w.covering()})));
}

FELT_PLANNING inline void check_pooled(char const* name, extents<4> const& x, extents<4> const& y,
                                       pool_shape const& s) {
    extents<4> const want{{x[0], x[1], s.axis[0].p, s.axis[1].p}};
    if (y != want) {
        throw shape_error(std::string(name) + ": results of " + to_string(x) + " are " +
                          to_string(want) + ", not " + to_string(y));
    }
}

}  // namespace detail
}  // namespace felt::inline FELT_ABI
