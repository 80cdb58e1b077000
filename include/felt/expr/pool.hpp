// SPDX-License-Identifier: BSD-3-Clause
//
// Pooling: a reduction over windows of the last two axes of x (N, C, H, W), and its derivatives:
// sums over the windows that an element lies in. Nothing is written but the results.
#pragma once
#include <felt/expr/convolve.hpp>
#include <felt/expr/fill.hpp>
#include <felt/expr/reductions.hpp>
#include <felt/expr/take_along_axis.hpp>
#include <felt/expr/views/reshape.hpp>
#include <limits>

namespace felt {

// A stride of 0 is the window's extent: windows side by side.
struct pool_options {
    extent_arg window[2] = {2, 2};
    extent_arg stride[2] = {0, 0};
    extent_arg padding[2] = {0, 0};
};
struct pool1d_options {
    extent_arg window = 2;
    extent_arg stride = 0;
    extent_arg padding = 0;
};
struct pool3d_options {
    extent_arg window[3] = {2, 2, 2};
    extent_arg stride[3] = {0, 0, 0};
    extent_arg padding[3] = {0, 0, 0};
};

// x of (N, C, L), and of (N, C, D, H, W).
template <class X>
concept rows_of_channels = array_operand<X> && (rank_of<X> == 3);
template <class X>
concept volumes = array_operand<X> && (rank_of<X> == 5);
template <class X>
concept images = array_operand<X> && (rank_of<X> == 4);

namespace detail {

// Pooling along one axis: extent n of the images, p of the results.
struct pool_axis {
    index_t n, p, window, stride, padding;

    // Windows that an element lies in: `step` apart, none of them exact if they tile the axis.
    bool tiles() const { return window % stride == 0; }
    bool operator==(pool_axis const&) const = default;
    index_t covering() const { return tiles() ? window / stride : window; }
    index_t near() const { return (window + stride - 1) / stride; }
};

// Element k of the window at (p, q) as a place in the image, at its edge if it is padding.
struct place_in_image {
    pool_axis h, w;

    FELT_FN static index_t inside(index_t i, index_t n) { return i < 0 ? 0 : i < n ? i : n - 1; }
    FELT_FN index_t operator()(index_t k, index_t p, index_t q) const {
        index_t const i = p * h.stride - h.padding + k / w.window;
        index_t const j = q * w.stride - w.padding + k % w.window;
        return inside(i, h.n) * w.n + inside(j, w.n);
    }
    bool operator==(place_in_image const&) const = default;
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

FELT_PLANNING inline view_map<3, 4> pool_map(char const* name, extents<3> const& x,
                                             pool1d_options const& o) {
    index_t const step = pool_stride(name, o.window.value, o.stride.value, o.padding.value);
    return window_map(name, x, make_extents({o.window}), {step}, {o.padding}, {1});
}
FELT_PLANNING inline view_map<5, 8> pool_map(char const* name, extents<5> const& x,
                                             pool3d_options const& o) {
    auto const step = [&](int i) {
        return pool_stride(name, o.window[i].value, o.stride[i].value, o.padding[i].value);
    };
    return window_map(name, x, make_extents(o.window), {step(0), step(1), step(2)}, o.padding,
                      {1, 1, 1});
}

template <class X>
auto pool_windows(X&& x, pool_options const& o, pool_shape const& s, value_of<X> outside) {
    auto const m = window_map("pool", x.extents(), make_extents(o.window), s.options);
    return windows_of(std::forward<X>(x), m, outside);
}

// y[n, c, p, q] as [n, c, h, w, i, j]: the results whose windows (h, w) lies in. Where strides
// divide windows, element h lies in windows (h + padding) / stride - i; else window element i
// must be where h is: (h + padding - i) / stride, without remainder. near: and those before it.
template <class Y>
auto covering_windows(Y&& y, pool_shape const& s, value_of<Y> outside, bool near = false) {
    auto const e = y.extents();
    view_map<4, 6> m{{{e[0], e[1], s.axis[0].n, s.axis[1].n}}, {}};
    m.rule[0] = {0, -1, 1}, m.rule[1] = {1, -1, 1};
    for (int i = 0; i < 2; ++i) {
        pool_axis const& a = s.axis[i];
        bool const tiles = near || a.tiles();
        index_t& count = m.e[static_cast<std::size_t>(4 + i)];
        count = near ? a.near() : a.covering();
        m.rule[2 + i] = {2 + i, 4 + i, 1, tiles ? -a.stride : -1, a.padding, a.stride, !tiles};
        if (count == 1) m.rule[2 + i].out2 = -1, m.rule[2 + i].dilation = 0;
    }
    return make_general_view(std::forward<Y>(y), m, outside, "covering windows");
}

FELT_PLANNING inline void check_pooled(char const* name, extents<4> const& x, extents<4> const& y,
                                       pool_shape const& s) {
    extents<4> const want{{x[0], x[1], s.axis[0].p, s.axis[1].p}};
    if (y != want) {
        throw shape_error(std::string(name) + ": results of " + to_string(x) + " are " +
                          to_string(want) + ", not " + to_string(y));
    }
}

struct avg_pool_rule {
    pool_options o;

    template <class X>
    auto make(X const& x) const {
        using T = floating_t<X>;
        auto const s = shape_of_pool("avg_pool2d", x.extents(), o);
        auto const n = static_cast<T>(s.axis[0].window * s.axis[1].window);
        return sum<4, 5>(pool_windows(cast<T>(x), o, s, T(0))) * (1 / n);
    }
    template <std::size_t>
    auto pull(auto const& dy, auto const&, auto const& x) const;
};

struct avg_pool_grad_rule {
    extents<4> of;
    pool_options o;

    template <class Y>
    auto make(Y const& dy) const {
        using T = floating_t<Y>;
        auto const s = shape_of_pool("avg_pool2d_grad", of, o);
        check_pooled("avg_pool2d_grad", of, dy.extents(), s);
        auto const n = static_cast<T>(s.axis[0].window * s.axis[1].window);
        return sum<4, 5>(covering_windows(cast<T>(dy), s, T(0))) * (1 / n);
    }
    template <std::size_t>
    auto pull(auto const& d, auto const&, auto const&) const {
        return compose(avg_pool_rule{o}, d);
    }
};

template <std::size_t>
auto avg_pool_rule::pull(auto const& dy, auto const&, auto const& x) const {
    return compose(avg_pool_grad_rule{x.extents(), o}, dy);
}

// Its derivative reads where the maxima lie.
struct max_pool_rule {
    pool_options o;

    template <class X>
    auto make(X const& x) const {
        auto const s = shape_of_pool("max_pool2d", x.extents(), o);
        return max<4, 5>(pool_windows(x, o, s, least<value_of<X>>));
    }
    template <class X>
    auto beside(X const& x) const;
    template <std::size_t, class X>
    auto pull(auto const& dy, auto const&, X const& x, auto const& at) const;
    template <std::size_t, class X>
    auto pull(auto const& dy, auto const& y, X const& x) const;
};
struct max_pool_grad_rule {
    extents<4> of;
    pool_options o;

    auto make(auto const& dy, auto const& indices) const {
        auto const s = shape_of_pool("max_pool2d_grad", of, o);
        using T = value_of<decltype(dy)>;
        using J = value_of<decltype(indices)>;
        auto const here = iota<J>({s.axis[0].n, s.axis[1].n, index_t{1}, index_t{1}});
        auto const chosen =
            covering_windows(indices, s, J(-1), true) == here;  // others' lie elsewhere
        return sum<4, 5>(where(chosen, covering_windows(dy, s, T(0), true), T(0)));
    }
    template <std::size_t>
    auto pull(auto const& d, auto const&, auto const& dy, auto const& indices) const {
        auto const e = dy.extents();
        auto const at = reshape(indices, {e[0], e[1], e[2] * e[3]});
        return reshape(take_along_axis<2>(reshape(d, {of[0], of[1], of[2] * of[3]}), at), e);
    }
};

}  // namespace detail

// The derivative of sum(dy * avg_pool2d(x)) with respect to x, of extents `of`.
template <images Y>
auto avg_pool2d_grad(Y&& dy, four_extents const& of, pool_options const& o = {}) {
    return compose(detail::avg_pool_grad_rule{of.value, o}, std::forward<Y>(dy));
}

// The mean over windows; padding counts as zeros.
template <images X>
auto avg_pool2d(X&& x, pool_options const& o = {}) {
    return compose(detail::avg_pool_rule{o}, std::forward<X>(x));
}

// Where the largest element of each window is: h * W + w, the first of equals, as index_t.
template <images X>
auto argmax_pool2d(X&& x, pool_options const& o = {}) {
    auto const s = detail::shape_of_pool("argmax_pool2d", x.extents(), o);
    detail::place_in_image const place{s.axis[0], s.axis[1]};
    auto const outside = detail::least<value_of<X>>;
    return make_map(place, argmax<4, 5>(detail::pool_windows(std::forward<X>(x), o, s, outside)),
                    iota<index_t>({s.axis[0].p, 1}), iota<index_t>({s.axis[1].p}));
}

// The derivative of sum(dy * max_pool2d(x)) with respect to x, of extents `of`; indices are
// argmax_pool2d(x). Windows that share a maximum add up.
template <images Y, images I>
    requires std::is_integral_v<value_of<I>>
auto max_pool2d_grad(Y&& dy, I&& indices, four_extents const& of, pool_options const& o = {}) {
    auto const s = detail::shape_of_pool("max_pool2d_grad", of.value, o);
    detail::check_pooled("max_pool2d_grad", of.value, dy.extents(), s);
    detail::check_pooled("max_pool2d_grad", of.value, indices.extents(), s);
    return compose(detail::max_pool_grad_rule{of.value, o}, std::forward<Y>(dy),
                   std::forward<I>(indices));
}

// The largest element of each window; padding never wins.
template <images X>
auto max_pool2d(X&& x, pool_options const& o = {}) {
    return compose(detail::max_pool_rule{o}, std::forward<X>(x));
}

template <class X>
auto detail::max_pool_rule::beside(X const& x) const {
    return argmax_pool2d(x, o);
}
template <std::size_t, class X>
auto detail::max_pool_rule::pull(auto const& dy, auto const&, X const& x, auto const& at) const {
    return max_pool2d_grad(dy, at, x.extents(), o);
}
template <std::size_t I, class X>
auto detail::max_pool_rule::pull(auto const& dy, auto const& y, X const& x) const {
    return pull<I>(dy, y, x, beside(x));
}

// The same over windows of the last axis of (N, C, L), and of the last three of (N, C, D, H, W).
template <rows_of_channels X>
auto avg_pool1d(X&& x, pool1d_options const& o = {}) {
    using T = floating_t<X>;
    auto const m = detail::pool_map("avg_pool1d", x.extents(), o);
    auto const n = static_cast<T>(m.e[3]);
    return sum<-1>(detail::windows_of(cast<T>(std::forward<X>(x)), m, T(0))) * (1 / n);
}
template <rows_of_channels X>
auto max_pool1d(X&& x, pool1d_options const& o = {}) {
    auto const m = detail::pool_map("max_pool1d", x.extents(), o);
    return max<-1>(detail::windows_of(std::forward<X>(x), m, detail::least<value_of<X>>));
}
template <volumes X>
auto avg_pool3d(X&& x, pool3d_options const& o = {}) {
    using T = floating_t<X>;
    auto const m = detail::pool_map("avg_pool3d", x.extents(), o);
    auto const n = static_cast<T>(m.e[5] * m.e[6] * m.e[7]);
    return sum<-3, -2, -1>(detail::windows_of(cast<T>(std::forward<X>(x)), m, T(0))) * (1 / n);
}
template <volumes X>
auto max_pool3d(X&& x, pool3d_options const& o = {}) {
    auto const m = detail::pool_map("max_pool3d", x.extents(), o);
    return max<-3, -2, -1>(detail::windows_of(std::forward<X>(x), m, detail::least<value_of<X>>));
}

}  // namespace felt
