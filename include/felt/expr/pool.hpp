// SPDX-License-Identifier: BSD-3-Clause
//
// Pooling: a reduction over windows of the last two axes of x (N, C, H, W), and its derivatives:
// sums over the windows that an element lies in. Nothing is written but the results.
#pragma once
#include <felt/expr/fill.hpp>
#include <felt/expr/pool_windows.hpp>
#include <felt/expr/reductions.hpp>
#include <felt/expr/take_along_axis.hpp>
#include <felt/expr/views/reshape.hpp>
#include <limits>

namespace felt::inline FELT_ABI {

// A stride of 0 is the window's extent.
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

struct avg_pool_rule {
    pool_options o;

    template <class X>
    auto make(X const& x) const {
        using T = floating_t<X>;
        auto const s = shape_of_pool("avg_pool2d", shape_of(x), o);
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
        check_pooled("avg_pool2d_grad", of, shape_of(dy), s);
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
    return compose(avg_pool_grad_rule{shape_of(x), o}, dy);
}

template <class I>
auto places_in_image(I const& in_window, pool_shape const& s) {
    place_in_image<index_t> const place{s.axis[0], s.axis[1]};
    return make_map(place, cast<index_t>(as_node(in_window)), iota<index_t>({s.axis[0].p, 1}),
                    iota<index_t>({s.axis[1].p}));
}

// Its derivative reads where the maxima lie.
struct max_pool_rule {
    pool_options o;

    template <class X>
    auto make(X const& x) const {
        auto const s = shape_of_pool("max_pool2d", shape_of(x), o);
        return max<4, 5>(pool_windows(x, o, s, least<value_of<X>>));
    }
    template <class X>
    auto beside(X const& x) const;
    template <std::size_t, class X>
    auto pull(auto const& dy, auto const&, X const& x, auto const& at) const;
    template <std::size_t, class X>
    auto pull(auto const& dy, auto const& y, X const& x) const;
};
// By places in the image or, if `Within`, in each window.
template <bool Within>
struct max_pool_grad_rule {
    extents<4> of;
    pool_options o;

    pool_shape shape() const { return shape_of_pool("max_pool2d_grad", of, o); }
    auto make(auto const& dy, auto const& places) const {
        auto const s = shape();
        using T = value_of<decltype(dy)>;
        using J = value_of<decltype(places)>;
        auto const sum_where = [&](auto const& here) {
            auto const chosen = covering_windows(places, s, J(-1)) == here;
            return sum<4, 5>(where(chosen, covering_windows(dy, s, T(0)), T(0)));
        };
        if constexpr (Within) return sum_where(places_in_windows<J>(s));
        else return sum_where(iota<J>({s.axis[0].n, s.axis[1].n, index_t{1}, index_t{1}}));
    }
    template <std::size_t>
    auto pull(auto const& d, auto const&, auto const& dy, auto const& places) const {
        auto const e = shape_of(dy);
        auto const at = [&] {
            if constexpr (Within) return places_in_image(places, shape());
            else return places;
        }();
        auto const rows = reshape(d, {of[0], of[1], of[2] * of[3]});
        return reshape(take_along_axis<2>(rows, reshape(at, {e[0], e[1], e[2] * e[3]})), e);
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
    auto const s = detail::shape_of_pool("argmax_pool2d", shape_of(x), o);
    auto const outside = detail::least<value_of<X>>;
    return detail::places_in_image(
        argmax<4, 5>(detail::pool_windows(std::forward<X>(x), o, s, outside)), s);
}

// The derivative of sum(dy * max_pool2d(x)) with respect to x, of extents `of`; indices are
// argmax_pool2d(x). Windows that share a maximum add up.
template <images Y, images I>
    requires std::is_integral_v<value_of<I>>
auto max_pool2d_grad(Y&& dy, I&& indices, four_extents const& of, pool_options const& o = {}) {
    auto const s = detail::shape_of_pool("max_pool2d_grad", of.value, o);
    detail::check_pooled("max_pool2d_grad", of.value, shape_of(dy), s);
    detail::check_pooled("max_pool2d_grad", of.value, shape_of(indices), s);
    return compose(detail::max_pool_grad_rule<false>{of.value, o}, std::forward<Y>(dy),
                   std::forward<I>(indices));
}

// The largest element of each window; padding never wins.
template <images X>
auto max_pool2d(X&& x, pool_options const& o = {}) {
    return compose(detail::max_pool_rule{o}, std::forward<X>(x));
}

// Where the first of the largest elements is in its window, in 16 bits: little is kept.
template <class X>
auto detail::max_pool_rule::beside(X const& x) const {
    using J = std::uint16_t;
    auto const s = shape_of_pool("max_pool2d", shape_of(x), o);
    index_t const down = s.axis[0].window, across = s.axis[1].window;
    if (down > std::numeric_limits<J>::max() / across) {
        throw shape_error(
            "max_pool2d: its derivative counts the elements of a window in 16 bits, "
            "too few for windows of " +
            to_string(extents<2>{{down, across}}));
    }
    using T = value_of<X>;
    using I = std::conditional_t<sizeof(T) <= 4, std::int32_t, index_t>;
    return cast<J>(reduce<monoid::argmax_as<I>, 4, 5>(pool_windows(x, o, s, least<T>)));
}
template <std::size_t, class X>
auto detail::max_pool_rule::pull(auto const& dy, auto const&, X const& x, auto const& at) const {
    return compose(max_pool_grad_rule<true>{shape_of(x), o}, dy, at);
}
template <std::size_t I, class X>
auto detail::max_pool_rule::pull(auto const& dy, auto const& y, X const& x) const {
    return pull<I>(dy, y, x, beside(x));
}

// The same over windows of the last axis of (N, C, L), and of the last three of (N, C, D, H, W).
template <rows_of_channels X>
auto avg_pool1d(X&& x, pool1d_options const& o = {}) {
    using T = floating_t<X>;
    auto const m = detail::pool_map("avg_pool1d", shape_of(x), o);
    auto const n = static_cast<T>(m.e[3]);
    return sum<-1>(detail::windows_of(cast<T>(std::forward<X>(x)), m, T(0))) * (1 / n);
}
template <rows_of_channels X>
auto max_pool1d(X&& x, pool1d_options const& o = {}) {
    auto const m = detail::pool_map("max_pool1d", shape_of(x), o);
    return max<-1>(detail::windows_of(std::forward<X>(x), m, detail::least<value_of<X>>));
}
template <volumes X>
auto avg_pool3d(X&& x, pool3d_options const& o = {}) {
    using T = floating_t<X>;
    auto const m = detail::pool_map("avg_pool3d", shape_of(x), o);
    auto const n = static_cast<T>(m.e[5] * m.e[6] * m.e[7]);
    return sum<-3, -2, -1>(detail::windows_of(cast<T>(std::forward<X>(x)), m, T(0))) * (1 / n);
}
template <volumes X>
auto max_pool3d(X&& x, pool3d_options const& o = {}) {
    auto const m = detail::pool_map("max_pool3d", shape_of(x), o);
    return max<-3, -2, -1>(detail::windows_of(std::forward<X>(x), m, detail::least<value_of<X>>));
}

}  // namespace felt::inline FELT_ABI
