// SPDX-License-Identifier: BSD-3-Clause
//
// Convolution as the networks mean it (cross-correlation) and its derivatives: each is a
// contraction of one operand with a view of the other. No matrix of windows is ever written.
//
//     conv2d(x, w)[n, o, p, q] =
//         sum_{c, r, s} x[n, c, p sh + r dh - ph, q sw + s dw - pw] w[o, c, r, s]
//
// x is (N, C, H, W), w (O, C / groups, Kh, Kw), the result (N, O, P, Q), in any layout; x is 0
// outside. With groups, output channel o reads the channels of its group. (Dumoulin and Visin,
// "A guide to convolution arithmetic for deep learning", 2016.)
#pragma once
#include <felt/expr/contract.hpp>
#include <felt/expr/notation.hpp>
#include <felt/expr/views/windows.hpp>

namespace felt::inline FELT_ABI {

struct conv_options {
    extent_arg stride[2] = {1, 1};
    extent_arg padding[2] = {0, 0};
    extent_arg dilation[2] = {1, 1};
    extent_arg groups = 1;
};

struct conv1d_options {
    extent_arg stride = 1;
    extent_arg padding = 0;
    extent_arg dilation = 1;
    extent_arg groups = 1;
};
struct conv3d_options {
    extent_arg stride[3] = {1, 1, 1};
    extent_arg padding[3] = {0, 0, 0};
    extent_arg dilation[3] = {1, 1, 1};
    extent_arg groups = 1;
};

// Four extents: {n, c, h, w} of any integer types, or x.extents().
struct four_extents {
    extents<4> value;

    template <std::same_as<extents<4>> E>
    four_extents(E const& e) : value(e) {}
    four_extents(extent_arg n, extent_arg c, extent_arg h, extent_arg w)
        : value{{n.value, c.value, h.value, w.value}} {}
};

template <class X, class W>
concept images_and_filters = products_combine<X, W> && (rank_of<X> == 4) && (rank_of<W> == 4);

template <class X, class W>
concept rows_and_filters = products_combine<X, W> && (rank_of<X> == 3) && (rank_of<W> == 3);

template <class X, class W>
concept volumes_and_filters = products_combine<X, W> && (rank_of<X> == 5) && (rank_of<W> == 5);

namespace detail {

// That g groups of o filters of c channels each read all of so many channels; `from`, `by`: the
// operands, for errors.
FELT_PLANNING inline void check_groups(char const* name, index_t channels, index_t o, index_t c,
                                       index_t g, shape_ref from, shape_ref by) {
    if (g < 1 || o % g != 0 || channels != g * c) {
        contract_fails(name, from, by,
                       std::to_string(channels) + " channels, filters of " + std::to_string(c) +
                           ", " + std::to_string(g) + " groups");
    }
}

// The extents of a convolution: images (n, g c, h, w), filters (g o, c, kh, kw), results
// (n, g o, p, q), for g groups of c channels that give o.
struct conv_extents {
    index_t n, g, c, h, w, o, kh, kw, p, q;
};

inline window_options windows_by(conv_options const& o) {
    return {
        {o.stride[0], o.stride[1]}, {o.padding[0], o.padding[1]}, {o.dilation[0], o.dilation[1]}};
}

// Checks what is given against the extents of the images; `from`, `by`: the operands, for errors.
FELT_PLANNING inline conv_extents conv_shape(char const* name, extents<4> const& x,
                                             extents<4> const& w, conv_options const& o,
                                             shape_ref from, shape_ref by) {
    index_t const g = o.groups.value;
    check_groups(name, x[1], w[0], w[1], g, from, by);
    auto const m = window_map(name, x, extents<2>{{w[2], w[3]}}, windows_by(o));
    return {x[0], g, w[1], x[2], x[3], w[0] / g, w[2], w[3], m.e[2], m.e[3]};
}

// dy must have the extents of the results.
FELT_PLANNING inline void check_results(char const* name, shape_ref from, shape_ref by,
                                        extents<4> const& dy, conv_extents const& e) {
    extents<4> const want{{e.n, e.g * e.o, e.p, e.q}};
    if (dy != want) {
        contract_fails(name, from, by, "the results are " + to_string(want));
    }
}

// x[.., g c, ..] as [.., g, c, ..]: axis A in two.
template <std::size_t A, class X>
auto in_groups(X&& x, index_t groups) {
    constexpr std::size_t S = rank_of<X>;
    auto const e = shape_of(x);
    view_map<S, S + 1> m{};
    for (std::size_t s = 0; s < S; ++s) {
        std::size_t const to = s > A ? s + 1 : s;
        m.e[to] = e[s];
        m.rule[s] = {static_cast<int>(to), -1, 1};
    }
    m.e[A] = groups;
    m.e[A + 1] = e[A] / groups;
    m.rule[A] = {static_cast<int>(A), static_cast<int>(A + 1), m.e[A + 1], 1};
    return make_view(std::forward<X>(x), m, "in groups");
}

// x[n, g c, h, w] as [n, g, c, p, q, r, s], the windows that meet filter element (r, s).
template <class X>
auto grouped_windows(X&& x, conv_extents const& e, conv_options const& o) {
    auto in = in_groups<1>(std::forward<X>(x), e.g);
    auto const m = window_map("conv2d", shape_of(in), extents<2>{{e.kh, e.kw}}, windows_by(o));
    return windows_of(std::move(in), m, {});
}

// x in the type of its products with y: converted below a view, whose zeros are then those of an
// operand.
template <class Y, class X>
decltype(auto) as_factor_of(X&& x) {
    using T = arithmetic_t<X, Y>;
    if constexpr (std::is_same_v<value_of<X>, T>) return std::forward<X>(x);
    else return cast<T>(std::forward<X>(x));
}

// y[n, g o, p, q] as [n, g, o, h, w, r, s], the result that element (r, s) of a filter takes
// image element (h, w) to: 0 if there is none. The results are set apart by the stride first.
template <class Y>
auto grouped_results(Y&& y, conv_extents const& e, conv_options const& o) {
    index_t const images[] = {e.h, e.w}, filter[] = {e.kh, e.kw};
    view_map<4, 5> apart{{{e.n, e.g, e.o}}, {}};
    apart.rule[0] = {0, -1, 1};
    apart.rule[1] = {1, 2, e.o, 1};
    view_map<5, 7> m{{{e.n, e.g, e.o, e.h, e.w, e.kh, e.kw}}, {{0, -1, 1}, {1, -1, 1}, {2, -1, 1}}};
    for (std::size_t i = 0; i < 2; ++i) {
        index_t const reach = o.dilation[i].value * (filter[i] - 1);
        int const a = static_cast<int>(i) + 3;
        apart.e[3 + i] = images[i] > 0 ? images[i] + reach : 0;
        apart.rule[2 + i] = {a, -1, 1, 0, o.padding[i].value - reach, o.stride[i].value, true};
        m.rule[3 + i] = {a, a + 2, 1, -o.dilation[i].value, reach};
    }
    return make_view(make_general_view(std::forward<Y>(y), apart, {}, "results apart"), m,
                     "windows");
}

// x[.., g, c, ..] as [.., g, k, ..], A the axis of k: element (g, k - g c) if that is one, else
// 0. So a contraction over g picks the group of k; with one group it is x.
template <std::size_t G, std::size_t A, class X>
auto of_its_group(X&& x) {
    auto m = identity_map(shape_of(x));
    index_t const each = m.e[A];
    m.e[A] *= m.e[G];
    m.rule[A] = {static_cast<int>(A), static_cast<int>(G), 1, -each};
    return make_general_view(std::forward<X>(x), m, {}, "of its group");
}

// y[n, o, p..] = sum_{c, r..} x[n, c, (p stride + r dilation - padding)..] w[o, c, r..] over D
// axes.
template <std::size_t D, class X, class W>
auto correlate(char const* name, X&& x, W&& w, extent_arg const (&stride)[D],
               extent_arg const (&padding)[D], extent_arg const (&dilation)[D], extent_arg groups) {
    auto const e = shape_of(w);
    index_t const g = groups.value;
    check_groups(name, shape_of(x)[1], e[0], e[1], g, shape_of(x), e);
    extents<D> window;
    int lx[2 * D + 3] = {0, D + 2, D + 3}, lw[D + 3] = {D + 2, 1, D + 3};  // n o p.. | g c r..
    for (std::size_t i = 0; i != D; ++i) {
        window[i] = e[2 + i];
        lx[3 + i] = static_cast<int>(2 + i);
        lx[3 + D + i] = lw[3 + i] = static_cast<int>(D + 4 + i);
    }
    (void)window_map(name, shape_of(x), window, stride, padding, dilation);  // errors are x's
    auto in = in_groups<1>(as_factor_of<W>(std::forward<X>(x)), g);
    auto const m = window_map(name, shape_of(in), window, stride, padding, dilation);
    return contract<D + 2, D + 2>(
        windows_of(std::move(in), m, {}),
        of_its_group<0, 1>(in_groups<0>(as_factor_of<X>(std::forward<W>(w)), g)), lx, lw, name);
}

// conv2d and its derivatives are three faces of one trilinear form in images, filters and results:
// the derivative of each by an operand is another one.
struct face_of_results {
    conv_options o;

    template <class X, class W>
    auto make(X&& x, W&& w) const {
        return correlate<2>("conv2d", std::forward<X>(x), std::forward<W>(w), o.stride, o.padding,
                            o.dilation, o.groups);
    }
    template <std::size_t I, class D, class X, class W>
    auto pull(D const& d, auto const&, X const& x, W const& w) const {
        if constexpr (I == 0) return conv2d_input_grad(d, w, shape_of(x), o);
        else return conv2d_weight_grad(x, d, shape_of(w), o);
    }
};
struct face_of_images {
    extents<4> of;
    conv_options o;

    template <class Y, class W>
    auto make(Y&& dy, W&& w) const {
        auto const e =
            conv_shape("conv2d_input_grad", of, shape_of(w), o, shape_of(dy), shape_of(w));
        check_results("conv2d_input_grad", shape_of(dy), shape_of(w), shape_of(dy), e);
        // Labels: n c h w | g o r s.
        int const ly[] = {0, 4, 5, 2, 3, 6, 7}, lw[] = {4, 5, 1, 6, 7};
        return contract<4, 4>(
            grouped_results(as_factor_of<W>(std::forward<Y>(dy)), e, o),
            of_its_group<0, 2>(in_groups<0>(as_factor_of<Y>(std::forward<W>(w)), e.g)), ly, lw,
            "conv2d_input_grad");
    }
    template <std::size_t I, class D, class Y, class W>
    auto pull(D const& d, auto const&, Y const& dy, W const& w) const {
        if constexpr (I == 0) return conv2d(d, w, o);
        else return conv2d_weight_grad(d, dy, shape_of(w), o);
    }
};
struct face_of_filters {
    extents<4> of;
    conv_options o;

    template <class X, class Y>
    auto make(X&& x, Y&& dy) const {
        auto const e =
            conv_shape("conv2d_weight_grad", shape_of(x), of, o, shape_of(x), shape_of(dy));
        check_results("conv2d_weight_grad", shape_of(x), shape_of(dy), shape_of(dy), e);
        // Labels: o c r s | g n p q.
        int const lx[] = {5, 4, 1, 6, 7, 2, 3}, ly[] = {5, 4, 0, 6, 7};
        return contract<4, 4>(
            grouped_windows(as_factor_of<Y>(std::forward<X>(x)), e, o),
            of_its_group<1, 2>(in_groups<1>(as_factor_of<X>(std::forward<Y>(dy)), e.g)), lx, ly,
            "conv2d_weight_grad");
    }
    template <std::size_t I, class D, class X, class Y>
    auto pull(D const& d, auto const&, X const& x, Y const& dy) const {
        if constexpr (I == 0) return conv2d_input_grad(dy, d, shape_of(x), o);
        else return conv2d(x, d, o);
    }
};

}  // namespace detail

// conv1d(x, w)[n, o, q] = sum_{c, s} x[n, c, q stride + s dilation - padding] w[o, c, s], for x of
// (N, C, L) and w of (O, C / groups, K).
template <class X, class W>
    requires rows_and_filters<X, W>
auto conv1d(X&& x, W&& w, conv1d_options const& o = {}) {
    return detail::correlate<1>("conv1d", std::forward<X>(x), std::forward<W>(w), {o.stride},
                                {o.padding}, {o.dilation}, o.groups);
}

template <class X, class W>
    requires images_and_filters<X, W>
auto conv2d(X&& x, W&& w, conv_options const& o = {}) {
    return compose(detail::face_of_results{o}, std::forward<X>(x), std::forward<W>(w));
}

// The same over the last three axes, for x of (N, C, D, H, W) and w of (O, C / groups, Kd, Kh, Kw).
template <class X, class W>
    requires volumes_and_filters<X, W>
auto conv3d(X&& x, W&& w, conv3d_options const& o = {}) {
    return detail::correlate<3>("conv3d", std::forward<X>(x), std::forward<W>(w), o.stride,
                                o.padding, o.dilation, o.groups);
}

// The derivative of sum(dy * conv2d(x, w)) with respect to x, which has extents `of`.
template <class Y, class W>
    requires images_and_filters<Y, W>
auto conv2d_input_grad(Y&& dy, W&& w, four_extents const& of, conv_options const& o = {}) {
    return compose(detail::face_of_images{of.value, o}, std::forward<Y>(dy), std::forward<W>(w));
}

// The same with respect to w, which has extents `of`.
template <class X, class Y>
    requires images_and_filters<X, Y>
auto conv2d_weight_grad(X&& x, Y&& dy, four_extents const& of, conv_options const& o = {}) {
    return compose(detail::face_of_filters{of.value, o}, std::forward<X>(x), std::forward<Y>(dy));
}

}  // namespace felt::inline FELT_ABI
