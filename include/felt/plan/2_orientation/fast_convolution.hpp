// SPDX-License-Identifier: BSD-3-Clause
//
// Which products are convolutions that need fewer multiplications: tiles of images and filters are
// transformed, multiplied point by point, and transformed to results. Winograd's algorithm
// F(m x m, 3 x 3) multiplies (m + 2) (m + 2) times for m x m results instead of 9 m m (Lavin and
// Gray, "Fast Algorithms for Convolutional Neural Networks", 2015); Fourier transforms take larger
// filters (host/fft_tile.hpp).
//
// Rows y, x of the left operand and terms r, s meet in the same element of memory wherever y + r
// and x + s are the same: that is what makes a product a convolution, whatever it was written as.
// The terms left, channels, are contiguous.
//
// Transformed values are sums of many elements: rounding is relative to the largest of them, not to
// each result. run(exact, ..) does without.
#pragma once
#include <felt/plan/caches.hpp>
#include <felt/plan/2_orientation/bordered_operand.hpp>
#include <cmath>
#include <string_view>

namespace felt::inline FELT_ABI::planning::detail {

struct image_operand {
    index_t stride[max_axes] = {};  // of the left operand in memory, by label
    zero_axes borders;
};

inline bool is_float(node const& f) { return std::string_view(f.type) == "float"; }

// What lies in memory, perhaps with zeros around it, and stays as it is while statements run.
inline bool find_images(graph const& g, schedule const& s, node_id id, image_operand& to) {
    int const left = s[g[id].product].rows_from;
    node_id const x = memory_below(g, g.operand(id, left));
    if (!x) return false;
    if (g[x].what == kind::leaf) {
        copy_axes(to.stride, by_loop_of(g, s, x), g[g[id].inner].rank);
        return g[x].lie_along == nullptr && !is_written(g, x);
    }
    if (!lies_bordered(g, s, id, to.borders)) return false;
    node_id const leaf = leaf_of_source(g, x);
    axis_map const m = axes_of_source(g, x);
    for (loop_id l : m.all_loops()) to.stride[l] = step_in_leaf(m, g[leaf], g[x + 1].rank, l);
    return true;
}

// Axis `to` of images: the row that term `t` meets, and where the images have elements.
inline bool find_image_axis(image_axis& to, image_operand const& x, label_id t,
                            contraction_axes const& axes, index_t const* extent) {
    for (label_id y : axes.m) {
        index_t const step = x.stride[y];
        if (step == 0 || std::abs(x.stride[t]) != std::abs(step)) continue;
        index_t const taps = extent[t];
        to = {y, t, 0, extent[y] + taps - 1, static_cast<int>(taps), x.stride[t] != step};
        for (zero_axis const& b : x.borders) {
            if (b.row != y && b.term != t) continue;
            bool const fits = b.row == y && b.term == t && b.by_row == 1 && b.apart == 1 &&
                              b.by_term == (to.reversed ? -1 : 1);
            if (!fits) return false;
            to.offset = b.offset - (to.reversed ? taps - 1 : 0);
            to.extent = b.extent;
        }
        return true;
    }
    return false;
}

// The loops of product id as those of a convolution; false if it is none.
inline bool find_convolution(graph const& g, schedule const& s, node_id id,
                             convolution_schedule& to) {
    contraction_axes const& axes = s[g[id].product].axes;
    index_t const* const extent = g[g[id].inner].extent;
    image_operand x;
    if (!find_images(g, s, id, x)) return false;
    int found = 0;
    for (label_id t : axes.k) {
        bool const taps = extent[t] > 1 && found < 2 && x.stride[t] != 1;
        if (taps && find_image_axis(to.along[found], x, t, axes, extent)) {
            ++found;
        } else if (extent[t] > 1) {
            if (x.stride[t] != 1 || to.channel >= 0) return false;
            to.channel = t;
        }
    }
    return found == 2 && to.channel >= 0 && to.along[0].row != to.along[1].row;
}

// The loops of the filters are all of theirs, and nothing that is read there is written.
inline bool has_fixed_filters(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    product_schedule const& p = s[f.product];
    if (g[f.product].diagonal.any() || p.axes.batch.points(f.extent) != 1) return false;
    for (node_id x : g.subtree(g.operand(id, 1 - p.rows_from))) {
        if (g[x].what == kind::leaf && is_written(g, x)) return false;
    }
    return true;
}

struct convolution_size {
    double images, rows, across, channels, columns, taps;

    double pixels() const { return images * rows * across; }
    double products() const { return taps * pixels() * channels * columns; }
};

// Nanoseconds by tiles of so many results.
inline double time_of_tiles(convolution_size const& n, convolution_algorithm const& by, double rows,
                            double across) {
    double const points = by.points;
    double const tiles = n.images * std::ceil(n.rows / rows) * std::ceil(n.across / across);
    auto const price_of = [&](double each, double more, double elements) {
        return by.transforms * each + (elements * sizeof(float) > caches().last ? more : 0);
    };
    double const pairs = n.channels * n.columns;
    double const filter = price_of(price_of_filter, price_of_far_filter, points * pairs);
    double const image =
        price_of(price_of_image, price_of_far_image, n.pixels() * n.channels) * n.channels;
    double const result =
        price_of(price_of_image, price_of_far_image, n.pixels() * n.columns) * n.columns;
    double const product = (pairs + terms_per_result * n.columns) * price.terms;
    return points * (pairs * filter + tiles * (product + image + result));
}

inline convolution_size size_of(convolution_schedule const& c, contraction_axes const& axes,
                                index_t const* extent) {
    image_axis const &y = c.along[0], &x = c.along[1];
    index_t const rows = extent[y.row], across = extent[x.row];
    auto const real = [](index_t n) { return static_cast<double>(n); };
    return {real(axes.m.points(extent)) / real(rows * across),
            real(rows),
            real(across),
            real(extent[c.channel]),
            real(axes.n.points(extent)),
            real(y.taps * x.taps)};
}

// The algorithm that is expected to take least; none if that is not less than the products take.
inline convolution_algorithm const* fastest(convolution_schedule const& c,
                                            convolution_size const& n) {
    convolution_algorithm const* best = nullptr;
    double least = fast_convolution_margin * n.products() * price.terms;
    for (convolution_algorithm const* by : {&winograd_2, &winograd_4, &fft_16}) {
        if (!by->suits(c.along[0].taps) || !by->suits(c.along[1].taps)) continue;
        double const time =
            time_of_tiles(n, *by, by->results(c.along[0].taps), by->results(c.along[1].taps));
        if (time < least) least = time, best = by;
    }
    return best;
}

// How product id is computed as a convolution.
FELT_PLANNING inline convolution_schedule choose_convolution(graph const& g, schedule const& s,
                                                             node_id id) {
    convolution_schedule none, to;
    node const& f = g[id];
    contraction_axes const& axes = s[f.product].axes;
    if (g.choice.exact || !is_float(f) || f.carries_softmax || axes.k.count < 3) return none;
    if (!has_fixed_filters(g, s, id) || !find_convolution(g, s, id, to)) return none;
    index_t const* const extent = g[f.inner].extent;
    index_t const channels = extent[to.channel], columns = axes.n.points(extent);
    if (std::min(channels, columns) < least_channels || axes.m.points(extent) == 0) return none;
    to.by = fastest(to, size_of(to, axes, extent));
    if (convolution_algorithm const* const only = g.choice.only; only != nullptr)
        to.by = only->suits(to.along[0].taps) && only->suits(to.along[1].taps) ? only : nullptr;
    if (to.by == nullptr) return none;
    index_t const tile = to.by->points * f.value_bytes * (channels + columns + 2 * row_padding);
    to.tiles = std::clamp<index_t>(tiles_bytes / tile, least_tiles, most_tiles);
    return to;
}

// What of views is read where it lies, and which products are computed as convolutions.
FELT_PLANNING inline void read_in_place(graph const& g, schedule& s) {
    for (node_id id : g.nodes.ids()) {
        if (g[id].what != kind::contract) {
            if (reads_rows_in_place(g, s, id)) s[id].by = way::streamed;
            continue;
        }
        product_schedule& p = s[g[id].product];
        p.fast = choose_convolution(g, s, id);
        bool const in_view = p.fast.by != nullptr && lies_in_box(g, s, g.operand(id, p.rows_from));
        if (in_view || may_read_bordered(g, s, id)) read_bordered(g, s, id);
    }
}

}  // namespace felt::inline FELT_ABI::planning::detail
